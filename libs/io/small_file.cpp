#include "io/small_file.hpp"

#include "base/text.hpp"
#include "io/file_pieces.hpp"
#include "io/trust.hpp"
#include "io/unique_fd.hpp"

#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>

namespace io {

namespace {

constexpr off_t longest_file = 1 << 20;

struct Opened {
    UniqueFd fd;
    struct stat status;
};

base::Result<Opened> open_file(const std::string& path, const std::string& name) {
    Opened opened{UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)), {}};
    if (!opened.fd || ::fstat(opened.fd.get(), &opened.status) != 0)
        return base::system_error(base::concat("cannot read ", name));
    if (!S_ISREG(opened.status.st_mode) || opened.status.st_size > longest_file)
        return base::invalid(base::concat(name, " is not a file of at most 1 MiB"));
    return opened;
}

base::Result<std::string> read(const Opened& opened, const std::string& name) {
    std::string text;
    auto length = read_pieces(opened.fd.get(), {0, longest_file}, [&](std::string_view piece) {
        text += piece;
        return base::Result<void>();
    });
    if (length.has_error()) return base::with_context(base::concat("cannot read ", name), length.error());
    return text;
}

base::Result<void> check_who_may_read(const struct stat& status, const std::string& path,
                                      const std::string& name) {
    if (auto trusted = check_trusted_owner(status, name); trusted.has_error()) return trusted;
    if ((status.st_mode & S_IROTH) == 0) return {};
    return base::invalid(base::concat(name, " can be read by every user of this machine; replace it, ",
                                      "because it may be known to others, and run `chmod o= ", path,
                                      "` on the new one"));
}

}  // namespace

base::Result<std::string> read_small_file(const std::string& path, const std::string& name) {
    auto opened = open_file(path, name);
    if (opened.has_error()) return opened.error();
    return read(*opened, name);
}

base::Result<std::string> read_secret_file(const std::string& path, const std::string& name) {
    auto opened = open_file(path, name);
    if (opened.has_error()) return opened.error();
    auto checked = check_who_may_read(opened->status, path, name);
    if (checked.has_error()) return checked.error();
    return read(*opened, name);
}

}  // namespace io
