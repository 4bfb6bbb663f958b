#include "process/child_input.hpp"

#include "io/directory.hpp"

#include <fcntl.h>
#include <sys/mman.h>

namespace process {

namespace {

constexpr std::size_t pipe_capacity = 64 * 1024;  // pipe(7); less for a user who has very many pipes

// Empty if the text does not fit into a pipe.
base::Result<io::UniqueFd> filled_pipe(std::string_view text) {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0) return base::system_error("cannot make a pipe");
    io::UniqueFd read(fds[0]);
    io::UniqueFd write(fds[1]);
    ::fcntl(write.get(), F_SETFL, O_NONBLOCK);
    if (!text.empty() && ::write(write.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        return io::UniqueFd();
    return read;
}

}  // namespace

base::Result<io::UniqueFd> file_in_memory(const base::SplicedText& text) {
    io::UniqueFd file(::memfd_create("input", MFD_CLOEXEC));
    if (!file) return base::system_error("cannot make a file in memory");
    for (std::string_view piece : text.pieces())
        if (auto written = io::write_all(file.get(), piece); !written) return written.error();
    if (::lseek(file.get(), 0, SEEK_SET) != 0)
        return base::system_error("cannot go back in a file in memory");
    return file;
}

base::Result<io::UniqueFd> readable_input(const base::SplicedText& text) {
    if (text.size() <= pipe_capacity) {
        auto pipe = filled_pipe(text.text());
        if (!pipe || *pipe) return pipe;
    }
    return file_in_memory(text);
}

}  // namespace process
