#include "pool_client/agent_loop.hpp"

#include "base/text.hpp"
#include "io/child_process.hpp"
#include "io/log.hpp"
#include "pool_client/agent.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <unordered_map>

namespace pool_client {

namespace asio = boost::asio;

namespace {

constexpr int most_hand_backs = 2;  // of one task, by one agent
constexpr std::chrono::seconds first_pause{1};
constexpr std::chrono::seconds longest_pause{30};
constexpr std::size_t told_stderr = 2000;  // bytes of it that go into the daemon's log

std::string failure_text(const io::ChildResult& result) {
    std::string_view tail = result.error_output;
    if (tail.size() > told_stderr) tail.remove_prefix(tail.size() - told_stderr);
    while (tail.ends_with('\n'))
        tail.remove_suffix(1);
    std::string text =
        base::concat("the command ", describe(result), result.succeeded() ? " and wrote no response" : "");
    return tail.empty() ? text : base::concat(text, ":\n", tail);
}

// What is left of a failed task, and how long to wait before the next.
class Failures {
  public:
    void report(const pool_protocol::PoolDirectory& directory, const AgentOptions& options,
                const Assignment& assignment, const io::ChildResult& result) {
        std::string why = failure_text(result);
        pause_ = std::clamp(2 * pause_, first_pause, longest_pause);
        if (++times_[std::hash<std::string>{}(assignment.content)] > most_hand_backs) {
            io::log::warn(options.name, ": ", why,
                          "\nit has failed here before; the task is left to time out");
            return;
        }
        io::log::warn(options.name, ": ", why, "\nthe task is handed back");
        auto handed_back = hand_back(directory, assignment, options.name, why);
        if (handed_back.has_error()) io::log::error(handed_back.error().message);
    }
    void success() { pause_ = std::chrono::seconds(0); }
    std::chrono::seconds pause() const { return pause_; }

  private:
    std::unordered_map<std::size_t, int> times_;  // by the content's hash
    std::chrono::seconds pause_{0};
};

base::Result<void> answer(const pool_protocol::PoolDirectory& directory, const Assignment& assignment,
                          std::string_view response) {
    auto written = respond(directory, assignment, response);
    if (written.has_error()) io::log::error("the response was not written: ", written.error().message);
    return written;
}

}  // namespace

asio::awaitable<base::Error> run_agent(io::DirectoryWatch& watch, pool_protocol::PoolDirectory directory,
                                       AgentOptions options) {
    asio::steady_timer pause(co_await asio::this_coro::executor);
    Failures failures;
    while (true) {
        auto assignment = co_await get_task(watch, directory, options.name);
        if (assignment.has_error()) co_return assignment.error();
        if (assignment->kind == Assignment::Kind::kicked) continue;
        if (assignment->kind == Assignment::Kind::heartbeat) {
            (void)answer(directory, *assignment, "{}");
            continue;
        }
        io::log::debug(options.name, ": task ", assignment->uuid);
        io::ChildSpec spec;
        spec.script = options.command;
        spec.directory = options.directory;
        spec.environment = options.environment;
        spec.input = assignment->content;
        io::ChildResult result = co_await io::run_child(std::move(spec));
        if (result.end == io::ChildResult::End::cancelled) {
            (void)hand_back(directory, *assignment, options.name, "the agent was stopped");
            throw boost::system::system_error(asio::error::operation_aborted);
        }
        if (result.succeeded() && !result.output.empty()) {
            failures.success();
            (void)answer(directory, *assignment, result.output);
            continue;
        }
        failures.report(directory, options, *assignment, result);
        pause.expires_after(failures.pause());
        co_await pause.async_wait(asio::use_awaitable);
    }
}

}  // namespace pool_client
