#include "config/file_text.hpp"

#include "base/text.hpp"

#include <boost/system/errc.hpp>

#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace config {

namespace {

class OpenFile {
  public:
    OpenFile(const std::string& path, int flags)
        : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | flags)) {}
    ~OpenFile() {
        if (fd_ >= 0) ::close(fd_);
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    base::Result<mode_t> type() const {
        struct stat status {};
        if (fd_ < 0 || ::fstat(fd_, &status) != 0) return base::system_error("cannot be read");
        if (S_ISDIR(status.st_mode)) return base::system_error("cannot be read", EISDIR);
        return status.st_mode & S_IFMT;
    }

    base::Result<std::string> read() const {
        constexpr std::size_t piece = 64 * 1024;
        std::string text;
        std::size_t size = 0;
        while (true) {
            if (text.size() - size < piece) text.resize(2 * text.size() + piece);
            ssize_t got = ::read(fd_, text.data() + size, piece);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) return base::system_error("cannot be read");
            size += static_cast<std::size_t>(got);
            if (size > max_file_bytes) return too_large();
            if (got > 0) continue;
            text.resize(size);
            text.shrink_to_fit();
            return text;
        }
    }

  private:
    static base::Error too_large() {
        return {
            boost::system::errc::make_error_code(boost::system::errc::file_too_large),
            base::concat("is larger than ", max_file_bytes / (1024 * 1024), " MiB, the limit for a file")};
    }

    int fd_;
};

}  // namespace

base::Result<std::string> read_linked_file(const std::string& path) {
    // O_NONBLOCK: opening a FIFO must not block before its type is checked.
    OpenFile file(path, O_NONBLOCK);
    auto type = file.type();
    if (type.has_error()) return type.error();
    if (!S_ISREG(*type))
        return base::invalid("cannot be read: it is not a regular file; only regular files can be linked");
    auto text = file.read();
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text && text->starts_with(byte_order_mark)) text->erase(0, byte_order_mark.size());
    return text;
}

base::Result<ConfigText> read_config_file(const std::string& path) {
    OpenFile file(path, 0);
    auto type = file.type();
    if (type.has_error()) return type.error();
    if (!S_ISREG(*type) && !S_ISFIFO(*type) && !S_ISCHR(*type))
        return base::invalid(
            "cannot be read: it is neither a file nor a pipe; give a file, a pipe, or the text of the "
            "config");
    auto text = file.read();
    if (text.has_error()) return text.error();
    return ConfigText{std::move(*text), S_ISREG(*type)};
}

}  // namespace config
