#include "io/service_manager.hpp"

#include "base/own_environment.hpp"
#include "base/text.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>

namespace io {

namespace {

constexpr int first_listen_fd = 3;  // SD_LISTEN_FDS_START

// Returns the variable's value and removes the variable from the environment.
std::string take(const char* name) {
    std::string text = base::own_variable(name);
    ::unsetenv(name);
    return text;
}

std::optional<std::uint64_t> number(const std::string& text) {
    std::uint64_t value = 0;
    auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// The variables may be inherited, and meant for another process.
bool is_us(const std::string& pid) {
    return number(pid) == static_cast<std::uint64_t>(::getpid());
}

bool is_listening(int fd) {
    int listens = 0;
    socklen_t size = sizeof listens;
    return ::getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens != 0;
}

UniqueFd inherited_socket(const std::string& pid, const std::string& count) {
    auto fds = number(count);
    if (!is_us(pid) || fds != 1 || !is_listening(first_listen_fd)) return {};
    ::fcntl(first_listen_fd, F_SETFD, FD_CLOEXEC);
    ::fcntl(first_listen_fd, F_SETFL, ::fcntl(first_listen_fd, F_GETFL) | O_NONBLOCK);
    // From now on the kernel names this process's user as the one who serves the socket, not systemd's.
    ::listen(first_listen_fd, SOMAXCONN);
    return UniqueFd(first_listen_fd);
}

}  // namespace

ServiceManager ServiceManager::from_environment() {
    ServiceManager manager;
    manager.notify_address_ = take("NOTIFY_SOCKET");
    std::string watchdog_pid = take("WATCHDOG_PID");
    auto watchdog = number(take("WATCHDOG_USEC"));
    if (watchdog && *watchdog > 0 && (watchdog_pid.empty() || is_us(watchdog_pid)))
        manager.watchdog_ = std::chrono::microseconds(*watchdog);
    std::string listen_pid = take("LISTEN_PID");
    manager.socket_ = inherited_socket(listen_pid, take("LISTEN_FDS"));
    take("LISTEN_FDNAMES");
    return manager;
}

void ServiceManager::status(std::string_view text) const {
    notify(base::concat("STATUS=", text));
}

// A notification that cannot be delivered is ignored.
void ServiceManager::notify(std::string_view message) const {
    sockaddr_un address{};
    if (notify_address_.empty() || notify_address_.size() >= sizeof address.sun_path) return;
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, notify_address_.data(), notify_address_.size());
    if (address.sun_path[0] == '@') address.sun_path[0] = '\0';  // an abstract address
    UniqueFd socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + notify_address_.size());
    const void* generic = &address;
    (void)::sendto(socket.get(), message.data(), message.size(), MSG_NOSIGNAL,
                   static_cast<const sockaddr*>(generic), size);
}

}  // namespace io
