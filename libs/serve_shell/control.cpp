#include "serve_shell/control.hpp"

#include "base/text.hpp"
#include "io/bell.hpp"
#include "io/local_socket.hpp"

#include <boost/asio/this_coro.hpp>

#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>
#include <variant>

namespace serve_shell {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds longest_control_wait{30};

using Socket = std::shared_ptr<io::FramedSocket>;

base::Result<Socket> connect(const asio::any_io_executor& executor, const std::string& run_path,
                             io::FramedSocket::Callbacks callbacks) {
    std::error_code ignored;
    std::string directory = std::filesystem::weakly_canonical(run_path, ignored).string();
    auto connected = io::connect_local(directory, runs::control_socket_name);
    if (!connected) return connected.error();
    io::LocalSocket socket(executor, asio::local::stream_protocol(), connected->release());
    io::FramedSocket::Limits limits{runs::longest_message, std::nullopt, longest_control_wait};
    auto framed = std::make_shared<io::FramedSocket>(std::move(socket), limits, std::move(callbacks));
    framed->start();
    return framed;
}

// What has come of a question.
struct Asked {
    explicit Asked(const asio::any_io_executor& executor) : bell(executor) {}

    io::Bell bell;
    std::optional<runs::Reply> reply;
    bool is_over = false;
};

void take_reply(Asked& asked, const std::string& frame) {
    auto message = runs::parse_control_message(frame);
    const auto* reply = message ? std::get_if<runs::Reply>(&*message) : nullptr;
    if (reply == nullptr) return;
    asked.reply = *reply;
    asked.bell.ring();
}

io::FramedSocket::Callbacks callbacks_of(const std::shared_ptr<Asked>& asked) {
    return {[asked](const Socket& /*socket*/, const std::string& frame) { take_reply(*asked, frame); },
            [](const Socket& /*socket*/, const std::string& /*problem*/) {},
            [asked](const Socket& /*socket*/, const io::FramedSocket::Payloads& /*undelivered*/) {
                asked->is_over = true;
                asked->bell.ring();
            }};
}

struct CloseAtEnd {
    explicit CloseAtEnd(Socket closed) : socket(std::move(closed)) {}
    ~CloseAtEnd() { socket->close(); }
    CloseAtEnd(const CloseAtEnd&) = delete;
    CloseAtEnd& operator=(const CloseAtEnd&) = delete;

    Socket socket;
};

base::Result<std::string> result_of(const Asked& asked, const std::string& id) {
    if (!asked.reply) return base::invalid(base::concat("the run ", id, " has not answered"));
    if (asked.reply->is_refused) return base::invalid(asked.reply->message);
    return asked.reply->message;
}

}  // namespace

asio::awaitable<base::Result<std::string>> ask_living_run(runs::FoundRun run, runs::ControlRequest request) {
    auto executor = co_await asio::this_coro::executor;
    auto asked = std::make_shared<Asked>(executor);
    auto socket = connect(executor, run.path, callbacks_of(asked));
    if (!socket)
        co_return base::Error{socket.error().code, base::concat("the run ", run.record.id,
                                                                " does not listen on its control socket: ",
                                                                socket.error().message)};
    CloseAtEnd close_at_end{*socket};
    (*socket)->send(runs::to_json(request));
    auto give_up = std::chrono::steady_clock::now() + longest_control_wait;
    while (!asked->reply && !asked->is_over && std::chrono::steady_clock::now() < give_up)
        co_await asked->bell.wait(longest_control_wait);
    co_return result_of(*asked, run.record.id);
}

struct StateLink::Callbacks {
    std::function<void(std::string)> on_state;
    std::function<void()> on_end;
};

base::Result<std::unique_ptr<StateLink>> StateLink::open(const asio::any_io_executor& executor,
                                                         const std::string& run_path,
                                                         std::function<void(std::string)> on_state,
                                                         std::function<void()> on_end) {
    auto callbacks = std::make_shared<Callbacks>(Callbacks{std::move(on_state), std::move(on_end)});
    auto take = [callbacks](const Socket& /*socket*/, const std::string& frame) {
        auto message = runs::parse_control_message(frame);
        auto* state = message ? std::get_if<runs::State>(&*message) : nullptr;
        if (state != nullptr && callbacks->on_state) callbacks->on_state(std::move(state->state));
    };
    auto end = [callbacks](const Socket& /*socket*/, const io::FramedSocket::Payloads& /*undelivered*/) {
        if (auto notify = std::exchange(callbacks->on_end, {})) notify();
    };
    auto ignore = [](const Socket& /*socket*/, const std::string& /*problem*/) {};
    auto socket = connect(executor, run_path, {take, ignore, end});
    if (!socket) return socket.error();
    runs::Attach attach;
    attach.mode = runs::Attach::Mode::state;
    (*socket)->send(runs::to_json(attach));
    return std::unique_ptr<StateLink>(new StateLink(std::move(callbacks), std::move(*socket)));
}

StateLink::StateLink(std::shared_ptr<Callbacks> callbacks, Socket socket)
    : callbacks_(std::move(callbacks)), socket_(std::move(socket)) {}

StateLink::~StateLink() {
    *callbacks_ = {};
    socket_->close();
}

}  // namespace serve_shell
