#include "runs/control_client.hpp"

#include "base/text.hpp"
#include "io/local_socket.hpp"
#include "io/log.hpp"
#include "runs/run_end.hpp"
#include "runs/run_lookup.hpp"
#include "runs/run_state.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace runs {

namespace {

constexpr std::chrono::milliseconds longest_wait{30'000};
constexpr std::chrono::milliseconds quick_answer{1'000};  // of a run that can answer
// A run has its record a moment before its socket.
constexpr std::chrono::seconds longest_start{5};
constexpr std::chrono::milliseconds between_attempts{20};

bool wait_for(int fd, short events, std::chrono::milliseconds longest = longest_wait) {
    pollfd poll{fd, events, 0};
    int ready = 0;
    do
        ready = ::poll(&poll, 1, static_cast<int>(longest.count()));
    while (ready < 0 && errno == EINTR);
    return ready > 0;
}

bool send_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent > 0)
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        else if (errno == EAGAIN ? !wait_for(fd, POLLOUT) : errno != EINTR)
            return false;
    }
    return true;
}

// The first frame; none at the end of the connection, or after the longest wait.
std::optional<std::string> receive(int fd) {
    io::FrameReader frames(longest_message);
    std::array<char, 4096> buffer{};
    while (wait_for(fd, POLLIN)) {
        ssize_t size = ::recv(fd, buffer.data(), buffer.size(), 0);
        if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (size <= 0) break;
        frames.append({buffer.data(), static_cast<std::size_t>(size)});
        auto frame = frames.next();
        if (!frame) break;
        if (*frame) return std::move(*frame);
    }
    return std::nullopt;
}

std::string why_silent(const RunRecord& run) {
    if (!is_stopped(run.process)) return "";
    return base::concat(": its process ", run.process.pid, " is stopped (kill -CONT ", run.process.pid,
                        " lets it go on)");
}

std::string why_no_answer(const FoundRun& run) {
    auto found = read_run(run.path);
    if (found && !is_living(current_state(*found))) return why_not_running(std::move(*found));
    return base::concat("the run ", run.record.id, " has not answered within ", longest_wait.count() / 1000,
                        " s", why_silent(run.record), "; the request is withdrawn");
}

}  // namespace

void tell_of_stop(const RunRecord& run) {
    if (is_stopped(run.process)) io::log::info("waiting for an answer of the run ", run.id, why_silent(run));
}

base::Result<io::UniqueFd> connect_to_run(const FoundRun& run) {
    auto give_up = std::chrono::steady_clock::now() + longest_start;
    std::error_code ignored;
    std::string directory = std::filesystem::weakly_canonical(run.path, ignored).string();
    auto connected = io::connect_local(directory, control_socket_name);
    while (!connected && std::chrono::steady_clock::now() < give_up) {
        FoundRun now = read_run(run.path).value_or(run);
        if (!is_alive(now.record.process) || !is_living(current_state(now)))
            return base::invalid(why_not_running(std::move(now)));
        std::this_thread::sleep_for(between_attempts);
        connected = io::connect_local(directory, control_socket_name);
    }
    if (connected) return connected;
    return base::Error{connected.error().code,
                       base::concat("the run ", run.record.id,
                                    " does not listen on its control socket: ", connected.error().message)};
}

base::Result<std::string> ask_run(const FoundRun& run, const ControlRequest& request) {
    auto connection = connect_to_run(run);
    if (!connection) return connection.error();
    std::optional<std::string> frame;
    if (send_all(connection->get(), io::frame(to_json(request)))) {
        if (!wait_for(connection->get(), POLLIN, quick_answer)) tell_of_stop(run.record);
        frame = receive(connection->get());
    }
    auto message = frame ? parse_control_message(*frame) : std::nullopt;
    const auto* reply = message ? std::get_if<Reply>(&*message) : nullptr;
    if (!reply) return base::invalid(why_no_answer(run));
    if (reply->is_refused) return base::invalid(reply->message);
    return reply->message;
}

}  // namespace runs
