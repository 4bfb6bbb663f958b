#include "load_submitters.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace load {

namespace {

// The JSON of a whole "<length>\n<json>" frame; nothing while bytes are missing.
std::optional<std::string_view> whole_frame(std::string_view received) {
    auto line_feed = received.find('\n');
    if (line_feed == std::string_view::npos) return std::nullopt;
    std::size_t length = 0;
    auto parsed = std::from_chars(received.data(), received.data() + line_feed, length);
    if (parsed.ptr != received.data() + line_feed) die("the daemon's answer has no length before it");
    if (received.size() - line_feed - 1 < length) return std::nullopt;
    return received.substr(line_feed + 1, length);
}

}  // namespace

Submitters::Submitters(const std::string& pool_directory, std::size_t count, bool keep_connection, int epoll)
    : directory_(::open(pool_directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)),
      keep_connection_(keep_connection),
      epoll_(epoll),
      submitters_(count) {
    if (directory_ < 0) die_errno("no pool at " + pool_directory);
}

Submitters::~Submitters() {
    for (auto& submitter : submitters_)
        disconnect(submitter);
    ::close(directory_);
}

void Submitters::start() {
    for (std::size_t i = 0; i < submitters_.size(); ++i)
        submit(i);
}

void Submitters::submit(std::size_t index) {
    auto& submitter = submitters_[index];
    submitter.number = begin();
    submitter.begun = Clock::now();
    submitter.received.clear();
    try_to_send(index);
}

void Submitters::try_to_send(std::size_t index) {
    auto& submitter = submitters_[index];
    if (connect(submitter, index)) return send(submitter);
    if (errno == EAGAIN) return refused_.push_back(index);
    give_up(submitter);
}

void Submitters::give_up(Submitter& submitter) {
    disconnect(submitter);
    lose();
}

// False, with errno, if there is no connection; EAGAIN: the daemon's backlog is full.
bool Submitters::connect(Submitter& submitter, std::size_t index) {
    if (submitter.socket >= 0) return true;
    submitter.socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (submitter.socket < 0) die_errno("no socket");
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    auto path = "/proc/self/fd/" + std::to_string(directory_) + "/daemon.sock";
    std::copy(path.begin(), path.end(), address.sun_path);
    const void* raw = &address;
    if (::connect(submitter.socket, static_cast<const sockaddr*>(raw), sizeof address) != 0) {
        auto why = errno;
        disconnect(submitter);
        errno = why;
        return false;
    }
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = index;
    if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, submitter.socket, &event) != 0) die_errno("epoll_ctl");
    return true;
}

void Submitters::send(Submitter& submitter) {
    auto json = request(submitter.number, keep_connection_ ? fresh_uuid() : std::string());
    auto text = std::to_string(json.size()) + "\n" + json;
    // A request is far smaller than a socket's buffer, and only one is ever in it.
    if (::send(submitter.socket, text.data(), text.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(text.size())) {
        die_errno("cannot send a request");
    }
}

void Submitters::connect_refused() {
    for (auto index : std::exchange(refused_, {}))
        try_to_send(index);
}

void Submitters::on_readable(std::size_t index) {
    auto& submitter = submitters_[index];
    char buffer[4096];
    auto got = ::recv(submitter.socket, buffer, sizeof buffer, 0);
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) return give_up(submitter);
    submitter.received.append(buffer, static_cast<std::size_t>(got));
    if (auto answer = whole_frame(submitter.received)) answered(index, *answer);
}

void Submitters::answered(std::size_t index, std::string_view answer) {
    auto& submitter = submitters_[index];
    end(submitter.number, submitter.begun, answer);
    if (!keep_connection_) disconnect(submitter);
    if (!finishing()) submit(index);
}

void Submitters::disconnect(Submitter& submitter) {
    if (submitter.socket >= 0) ::close(submitter.socket);
    submitter.socket = -1;
}

}  // namespace load
