#include "io/fd_passing.hpp"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/uio.h>

namespace io {

namespace {

// A message of one byte, which is needed to send a descriptor, with space for one descriptor.
struct Message {
    Message() {
        header.msg_iov = &content;
        header.msg_iovlen = 1;
        header.msg_control = control;
        header.msg_controllen = sizeof control;
    }
    Message(const Message&) = delete;
    Message& operator=(const Message&) = delete;

    char byte = 0;
    iovec content{&byte, 1};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))]{};
    msghdr header{};
};

}  // namespace

base::Result<FdChannel> make_fd_channel() {
    int fds[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0)
        return base::system_error("cannot make a pair of sockets");
    return FdChannel{UniqueFd(fds[0]), UniqueFd(fds[1])};
}

bool send_fd(int sender, int fd) {
    Message message;
    if (fd < 0) {
        message.header.msg_control = nullptr;
        message.header.msg_controllen = 0;
    } else {
        cmsghdr* control = CMSG_FIRSTHDR(&message.header);
        control->cmsg_level = SOL_SOCKET;
        control->cmsg_type = SCM_RIGHTS;
        control->cmsg_len = CMSG_LEN(sizeof fd);
        std::memcpy(CMSG_DATA(control), &fd, sizeof fd);
    }
    ssize_t sent = 0;
    do {
        sent = ::sendmsg(sender, &message.header, MSG_DONTWAIT | MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == 1;
}

std::optional<UniqueFd> receive_fd(int receiver) {
    Message message;
    ssize_t got = 0;
    do {
        got = ::recvmsg(receiver, &message.header, MSG_CMSG_CLOEXEC);
    } while (got < 0 && errno == EINTR);
    if (got <= 0) return std::nullopt;
    const cmsghdr* control = CMSG_FIRSTHDR(&message.header);
    if (control == nullptr || control->cmsg_type != SCM_RIGHTS) return UniqueFd();
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(control), sizeof fd);
    return UniqueFd(fd);
}

}  // namespace io
