#include "agents/transcript_file.hpp"

#include "base/text.hpp"

#include <cerrno>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

namespace agents {

namespace {

base::Result<io::UniqueFd> make_file(const io::Directory& directory, const std::string& name) {
    constexpr int flags = O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC;
    io::UniqueFd fd(::openat(directory.fd(), name.c_str(), flags, 0600));
    if (!fd) return base::system_error(base::concat("cannot create ", directory.path_of(name)));
    ::fchmod(fd.get(), 0600);  // also with an odd umask
    return fd;
}

}  // namespace

base::Result<TranscriptFile> TranscriptFile::create(std::shared_ptr<const io::Directory> directory,
                                                    std::string name) {
    auto fd = make_file(*directory, name);
    if (fd.has_error()) return fd.error();
    return TranscriptFile(std::move(directory), std::move(name), std::move(*fd));
}

base::Result<void> TranscriptFile::append(std::string_view text) {
    auto written = io::write_all(fd_.get(), text);
    if (written.has_value()) {
        size_ += text.size();
        return {};
    }
    (void)!::ftruncate(fd_.get(), static_cast<off_t>(size_));  // without a part of a line
    return base::with_context(path(), written.error());
}

base::Result<void> TranscriptFile::shorten(std::size_t head, std::string_view middle, std::size_t tail) {
    auto first = read(0, head);
    if (first.has_error()) return first.error();
    auto last = read(size_ - tail, tail);
    if (last.has_error()) return last.error();
    const std::string text = base::concat(*first, middle, *last);
    const std::string new_name = name_ + ".new";
    auto fd = make_file(*directory_, new_name);
    if (fd.has_error()) return fd.error();
    auto done = io::write_all(fd->get(), text);
    if (done.has_value() &&
        ::renameat(directory_->fd(), new_name.c_str(), directory_->fd(), name_.c_str()) != 0)
        done = base::system_error("cannot rename it");
    if (done.has_error()) {
        ::unlinkat(directory_->fd(), new_name.c_str(), 0);
        return base::with_context(directory_->path_of(new_name), done.error());
    }
    fd_ = std::move(*fd);
    size_ = text.size();
    return {};
}

base::Result<std::string> TranscriptFile::read(std::size_t from, std::size_t size) const {
    std::string text(size, '\0');
    for (std::size_t done = 0; done < size;) {
        ssize_t got = ::pread(fd_.get(), text.data() + done, size - done, static_cast<off_t>(from + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return base::system_error(base::concat("cannot read ", path()));
        if (got == 0) return base::system_error(base::concat(path(), " was changed"), EIO);
        done += static_cast<std::size_t>(got);
    }
    return text;
}

}  // namespace agents
