#include "serve_shell/memory_file.hpp"

#include "base/text.hpp"
#include "io/directory.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace serve_shell {

base::Result<MemoryFile> MemoryFile::make(std::string_view text) {
    io::UniqueFd fd(::memfd_create("barnum", MFD_CLOEXEC));
    if (!fd) return base::system_error("cannot make a file in memory");
    if (auto written = io::write_all(fd.get(), text); !written) return written.error();
    return MemoryFile(std::move(fd));
}

std::string MemoryFile::path() const {
    return base::concat("/proc/", ::getpid(), "/fd/", fd_.get());
}

}  // namespace serve_shell
