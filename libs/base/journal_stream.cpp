#include "base/journal_stream.hpp"

#include "base/text.hpp"

#include <cstdlib>
#include <sys/stat.h>

namespace base {

bool is_stream(std::string_view journal_stream, unsigned long device, unsigned long inode) {
    return journal_stream == concat(device, ":", inode);
}

bool is_journal_stream(int fd) {
    const char* named = std::getenv("JOURNAL_STREAM");
    struct stat status {};
    return named && ::fstat(fd, &status) == 0 && is_stream(named, status.st_dev, status.st_ino);
}

}  // namespace base
