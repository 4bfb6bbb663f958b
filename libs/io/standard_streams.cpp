#include "io/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace io {

void open_missing_streams() {
    // open() returns the lowest free number.
    for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(fd, F_GETFD) < 0) ::open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_RDWR);
}

}  // namespace io
