// A server of the Model Context Protocol on two descriptors, one message a line. The shell around
// mcp/machine: reads, writes, and runs each call as a coroutine of its own. Knows nothing of what the tools
// do.
#pragma once

#include "base/error.hpp"
#include "io/bell.hpp"
#include "io/task_group.hpp"
#include "mcp/line_output.hpp"
#include "mcp/machine.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace mcp {

class Server {
  public:
    struct Handlers {
        // Carries a call out. A terminal cancellation means that nobody wants the outcome. An exception is a
        // bug, and the client gets an internal error.
        std::function<boost::asio::awaitable<Outcome>(Start call)> call;
        // The client may not have read the outcome of this call, or it was dropped.
        std::function<void(CallId)> on_unheard;
        // From this call on, resource_updated() is to be called for changes of these resources.
        std::function<void(const std::set<std::string>&)> on_watch;
    };
    Server(boost::asio::any_io_executor executor, Offer offer, Handlers handlers);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    // Serves until the end of the input, or until the reader of the output has gone. Then calls that wait are
    // cancelled, and the others have 2 s to be answered. A terminal cancellation cancels all calls; this
    // throws operation_aborted when they have ended. The error: the output cannot be written.
    boost::asio::awaitable<base::Result<void>> run(int input, int output);

    // Whether the call's client wants to know how it gets on.
    bool wants_progress(CallId id) const { return machine_.wants_progress(id); }
    // To be called while run() runs. Progress is dropped while the client does not read.
    void progressed(CallId id, double progress, double total, std::string_view message);
    void resource_updated(std::string_view uri);
    void resource_list_changed();

  private:
    struct Running {
        Running(boost::asio::any_io_executor executor, io::TaskGroup::OnException on_exception, bool may_wait)
            : group(executor, std::move(on_exception)), waits(may_wait) {}

        io::TaskGroup group;  // of the call alone, because calls are cancelled one by one
        bool waits;
    };
    boost::asio::awaitable<void> read(int input);
    boost::asio::awaitable<void> handle_input();
    void start(Start call);
    boost::asio::awaitable<void> carry_out(Start call);
    boost::asio::awaitable<void> remove_when_done(CallId id);
    boost::asio::awaitable<void> end_calls();
    boost::asio::awaitable<void> end_output();
    void perform(Actions actions);
    bool waits(const Call& call) const;

    boost::asio::any_io_executor executor_;
    std::set<std::string> waiting_tools_;
    std::size_t longest_message_;
    Machine machine_;
    Handlers handlers_;
    LineOutput* output_ = nullptr;  // while run() runs
    std::string unhandled_;         // of the input
    std::optional<boost::system::error_code> input_end_;
    io::Bell changed_;  // rings when there is more input, and when output was written
    io::Bell taken_;    // rings when there is less of the input
    std::map<CallId, std::unique_ptr<Running>> running_;
    io::TaskGroup calls_;
    io::TaskGroup writing_;
    io::TaskGroup watching_;
    io::TaskGroup reading_;
};

}  // namespace mcp
