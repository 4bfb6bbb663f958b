#include "report/file.hpp"

#include "base/text.hpp"
#include "io/new_file.hpp"
#include "io/unique_fd.hpp"

#include <boost/system/errc.hpp>

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <iostream>

namespace report {

namespace {

using Fill = std::function<base::Result<void>(const WritePiece&)>;

// The end of the command reports that stdout cannot be written, unless its reader has read enough.
base::Result<void> write_stdout(const Fill& fill) {
    auto filled = fill([](std::string_view piece) -> base::Result<void> {
        std::cout.write(piece.data(), static_cast<std::streamsize>(piece.size()));
        if (!std::cout) return base::invalid("stdout cannot be written");
        return {};
    });
    return std::cout ? filled : base::Result<void>();
}

base::Result<void> replace(const std::string& path, const std::function<base::Result<void>(int)>& fill,
                           const io::FileCalls& calls) {
    io::UniqueFd old(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!old) return base::system_error("it cannot be opened");
    return io::replace_file(path, old.get(), fill, calls);
}

}  // namespace

base::Result<void> write_report_file(const std::string& path, const Fill& fill) {
    if (path == "-") return write_stdout(fill);
    std::error_code failed;
    std::string place = path;
    auto status = std::filesystem::status(path, failed);
    if (std::filesystem::exists(status)) {
        if (!std::filesystem::is_regular_file(status))
            return base::invalid(base::concat(path, " is not a regular file; `-` writes to stdout"));
        place = std::filesystem::canonical(path, failed).string();  // what a link leads to
    }
    const io::FileCalls calls = io::FileCalls::real();
    auto write = [&](int fd) {
        return fill([&](std::string_view piece) { return io::write_all(calls, fd, piece); });
    };
    base::Result<void> written;
    if (std::filesystem::exists(status)) {
        written = replace(place, write, calls);
    } else if (auto created = io::create_file(path, write, calls); !created) {
        written = created.error();
    }
    return written ? written : base::with_context(base::concat("cannot write ", path), written.error());
}

}  // namespace report
