#include "mcp/server.hpp"

#include "base/line_splitter.hpp"
#include "io/internal_error.hpp"
#include "io/log.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <fcntl.h>
#include <memory>
#include <vector>

namespace mcp {

namespace asio = boost::asio;

namespace {

constexpr std::size_t most_unread = std::size_t{1} << 20;
constexpr std::size_t most_unhandled = std::size_t{1} << 20;
constexpr std::chrono::seconds last_answers{2};
constexpr std::chrono::seconds last_output{1};
constexpr std::size_t piece_size = std::size_t{64} << 10;

std::set<std::string> waiting_tools(const Offer& offer) {
    std::set<std::string> names;
    for (const Tool& tool : offer.tools)
        if (tool.waits) names.insert(tool.name);
    return names;
}

// Cancels a group after a time, unless it is destroyed before.
class Deadline {
  public:
    Deadline(asio::any_io_executor executor, std::chrono::seconds time, io::TaskGroup& group)
        : timer_(executor, time) {
        timer_.async_wait([&group, alive = std::weak_ptr(alive_)](boost::system::error_code ec) {
            if (!ec && !alive.expired()) group.cancel();
        });
    }

  private:
    asio::steady_timer timer_;
    std::shared_ptr<int> alive_ = std::make_shared<int>();
};

}  // namespace

Server::Server(asio::any_io_executor executor, Offer offer, Handlers handlers)
    : executor_(executor),
      waiting_tools_(waiting_tools(offer)),
      longest_message_(offer.longest_message),
      machine_(std::move(offer)),
      handlers_(std::move(handlers)),
      changed_(executor),
      taken_(executor),
      calls_(executor, io::end_process),
      writing_(executor, io::end_process),
      watching_(executor, io::end_process),
      reading_(executor, io::end_process) {}

Server::~Server() = default;

asio::awaitable<base::Result<void>> Server::run(int input, int output) {
    LineOutput lines(executor_, output, [this] { changed_.ring(); });
    output_ = &lines;
    writing_.spawn("writing messages", lines.run());
    watching_.spawn("watching the reader", lines.reader_gone());
    reading_.spawn("reading messages", read(input));
    reading_.spawn("handling messages", handle_input());
    std::exception_ptr cancelled;
    try {
        co_await reading_.join_or_cancel();
    } catch (const boost::system::system_error&) {
        cancelled = std::current_exception();
        calls_.cancel();
    }
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    co_await end_calls();
    perform(machine_.ended());
    co_await end_output();
    output_ = nullptr;
    if (cancelled) std::rethrow_exception(cancelled);
    base::Result<void> written;
    if (lines.error()) written = base::system_error("cannot write to stdout", lines.error().value());
    co_return written;
}

asio::awaitable<void> Server::end_calls() {
    for (auto& [id, running] : running_)
        if (running->waits) running->group.cancel();
    Deadline deadline(executor_, last_answers, calls_);
    co_await calls_.join();
}

asio::awaitable<void> Server::end_output() {
    watching_.cancel();
    co_await watching_.join();
    output_->finish();
    Deadline deadline(executor_, last_output, writing_);
    co_await writing_.join();
}

// Reads ahead, because the end of the input must be noticed even if the client does not read its answers.
asio::awaitable<void> Server::read(int input) {
    asio::posix::stream_descriptor stream(executor_, own_descriptor(input, O_RDONLY));
    std::vector<char> piece(piece_size);
    boost::system::error_code error;
    while (!error) {
        std::size_t size = co_await stream.async_read_some(asio::buffer(piece),
                                                           asio::redirect_error(asio::use_awaitable, error));
        unhandled_.append(piece.data(), size);
        changed_.ring();
        while (unhandled_.size() > most_unhandled)
            co_await taken_.wait();
    }
    input_end_ = error;
    changed_.ring();
}

// No further messages of a client are handled that does not read its answers, so what waits for it stays
// small.
asio::awaitable<void> Server::handle_input() {
    base::LineSplitter lines(longest_message_ + 1);
    auto on_line = [this](std::string_view line) { perform(machine_.received(line)); };
    while (!output_->is_gone() && !(input_end_ && unhandled_.empty())) {
        std::size_t unread = output_->unwritten();
        if (unread <= most_unread && !unhandled_.empty()) {
            std::string piece = unhandled_.substr(0, piece_size);
            unhandled_.erase(0, piece.size());
            taken_.ring();
            lines.add(piece, on_line);
            continue;
        }
        co_await changed_.wait(input_end_ ? last_output : io::Bell::forever);
        if (input_end_ && output_->unwritten() == unread) break;
    }
    std::string rest = lines.take_rest();
    if (unhandled_.empty() && input_end_ == asio::error::eof) on_line(rest);
    reading_.cancel();
}

void Server::perform(Actions actions) {
    for (Action& action : actions) {
        if (auto* send = std::get_if<Send>(&action)) {
            if (output_) output_->put(send->line);
        } else if (auto* begun = std::get_if<Start>(&action)) {
            start(std::move(*begun));
        } else if (auto* cancel = std::get_if<Cancel>(&action)) {
            if (auto found = running_.find(cancel->id); found != running_.end())
                found->second->group.cancel();
        } else if (auto* unheard = std::get_if<Unheard>(&action)) {
            handlers_.on_unheard(unheard->id);
        } else {
            handlers_.on_watch(std::get<Watch>(action).uris);
        }
    }
}

bool Server::waits(const Call& call) const {
    const auto* tool = std::get_if<CallTool>(&call);
    return tool != nullptr && waiting_tools_.contains(tool->name);
}

void Server::start(Start call) {
    CallId id = call.id;
    auto failed = [this, id](const std::string& name, std::exception_ptr exception) {
        io::log_exception(name, std::move(exception));
        perform(machine_.finished(id, InternalError{"internal error; see the server's log"}));
    };
    auto running = std::make_unique<Running>(executor_, failed, waits(call.what));
    running->group.spawn("a call", carry_out(std::move(call)));
    running_.emplace(id, std::move(running));
    calls_.spawn("the end of a call", remove_when_done(id));
}

asio::awaitable<void> Server::remove_when_done(CallId id) {
    struct Removal {
        Server& server;
        CallId id;
        ~Removal() { server.running_.erase(id); }
    } removal{*this, id};
    co_await running_.at(id)->group.join_or_cancel();
}

asio::awaitable<void> Server::carry_out(Start call) {
    CallId id = call.id;
    Outcome outcome = co_await handlers_.call(std::move(call));
    perform(machine_.finished(id, std::move(outcome)));
}

void Server::progressed(CallId id, double progress, double total, std::string_view message) {
    if (output_ && !output_->is_behind()) perform(machine_.progressed(id, progress, total, message));
}

void Server::resource_updated(std::string_view uri) {
    perform(machine_.resource_updated(uri));
}

void Server::resource_list_changed() {
    perform(machine_.resource_list_changed());
}

}  // namespace mcp
