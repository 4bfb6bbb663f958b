#include "pool_client/agent_loop.hpp"

#include "base/text.hpp"
#include "io/child_process.hpp"
#include "io/log.hpp"
#include "pool_client/agent.hpp"
#include "pool_client/pool_wait.hpp"
#include "pool_protocol/messages.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <unordered_map>

namespace pool_client {

namespace asio = boost::asio;

namespace {

constexpr int most_hand_backs = 2;  // of one task that can time out, by one agent
constexpr std::chrono::seconds first_pause{1};
constexpr std::chrono::seconds longest_pause{5};
constexpr std::size_t told_stderr = 2000;  // bytes of it that go into the daemon's log

std::string failure_text(const io::ChildResult& result) {
    std::string_view tail = result.error_output;
    if (tail.size() > told_stderr) tail.remove_prefix(tail.size() - told_stderr);
    while (tail.ends_with('\n'))
        tail.remove_suffix(1);
    std::string text =
        base::concat("the command ", describe(result), result.succeeded() ? " and wrote no response" : "");
    return tail.empty() ? text : base::concat(text, tail.find('\n') == tail.npos ? ": " : ":\n", tail);
}

// What becomes of the tasks that the command has failed at, and how long to wait before the next.
class Failures {
  public:
    Failures(pool_protocol::PoolDirectory directory, std::string name, std::function<bool()> pool_tells_here)
        : directory_(std::move(directory)),
          name_(std::move(name)),
          pool_tells_here_(std::move(pool_tells_here)) {}
    // An agent that ends keeps nothing: what it had left to time out goes to the others.
    ~Failures() {
        for (const Assignment& assignment : left_)
            (void)hand_back(directory_, assignment, name_, "the agent ends");
    }
    Failures(const Failures&) = delete;
    Failures& operator=(const Failures&) = delete;

    void report(Assignment assignment, const io::ChildResult& result) {
        pause_ = std::clamp(2 * pause_, first_pause, longest_pause);
        auto read = content_of(assignment);
        std::string content = read.has_value() ? std::move(*read) : std::string();  // it is handed back then
        int times = ++times_[std::hash<std::string>{}(content)];
        std::string why = failure_text(result);
        if (times > most_hand_backs && pool_protocol::content_timeout(content)) {
            io::log::warn(name_, ": ", why, "\nfailed ", times, " times here; the task is left to time out");
            (void)leave_to_time_out(directory_, assignment, name_, why);
            assignment.content_file = {};
            left_.push_back(std::move(assignment));
            return;
        }
        auto handed_back = hand_back(directory_, assignment, name_, why);
        if (handed_back.has_value() && pool_tells_here_ && pool_tells_here_()) return;
        io::log::warn(name_, ": ", why, "\n",
                      handed_back.has_error() ? handed_back.error().message : "the task is handed back");
    }
    void success() {
        pause_ = std::chrono::seconds(0);
        has_succeeded_ = true;
    }
    bool has_succeeded() const { return has_succeeded_; }
    std::chrono::seconds pause() const { return pause_; }

  private:
    pool_protocol::PoolDirectory directory_;
    std::string name_;
    std::function<bool()> pool_tells_here_;
    std::unordered_map<std::size_t, int> times_;  // by the content's hash
    std::vector<Assignment> left_;
    std::chrono::seconds pause_{0};
    bool has_succeeded_ = false;
};

// What a shell says of a command that it can't find or execute.
bool is_unusable(const io::ChildResult& result) {
    return result.end == io::ChildResult::End::exited && (result.code == 127 || result.code == 126);
}

base::Error unusable(const std::string& command, const io::ChildResult& result) {
    return base::Error{
        boost::system::errc::make_error_code(command_unusable),
        base::concat("the agents' command can't be executed: `", command, "`: ", failure_text(result))};
}

// The id makes it no other agent's, even of the same name: by all of it the command's processes are found
// when they have to be killed (io/child_process).
io::Environment environment_of(const AgentOptions& options, const Assignment& assignment) {
    io::Environment environment = options.environment;
    environment.emplace_back("BARNUM_AGENT", options.name);
    environment.emplace_back("BARNUM_AGENT_ID", assignment.uuid);
    return environment;
}

// Counts one in for as long as it lives.
class Resting {
  public:
    explicit Resting(std::size_t* count) : count_(count) {
        if (count_ != nullptr) ++*count_;
    }
    ~Resting() {
        if (count_ != nullptr) --*count_;
    }
    Resting(const Resting&) = delete;
    Resting& operator=(const Resting&) = delete;

  private:
    std::size_t* count_;
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
    Failures failures(directory, options.name, options.pool_tells_here);
    while (true) {
        if (options.is_supervised) {
            auto served = co_await wait_for_pool(directory, std::chrono::milliseconds(0));
            if (served.has_error()) co_return served.error();
        }
        auto assignment = co_await get_task(watch, directory, options.name, LargeContent::is_left);
        if (assignment.has_error()) co_return assignment.error();
        if (assignment->kind == Assignment::Kind::kicked) {
            if (options.is_supervised && assignment->reason == "Stopped") co_return not_served(directory);
            continue;
        }
        if (assignment->kind == Assignment::Kind::heartbeat) {
            (void)answer(directory, *assignment, "{}");
            continue;
        }
        io::log::debug(options.name, ": task ", assignment->uuid);
        io::ChildSpec spec;
        spec.script = options.command;
        spec.directory = options.directory;
        spec.environment = environment_of(options, *assignment);
        spec.input = assignment->content;
        spec.input_file = assignment->content_file.fd.get();
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
        if (is_unusable(result) && !failures.has_succeeded()) {
            (void)hand_back(directory, *assignment, options.name, "its command can't be executed");
            co_return unusable(options.command, result);
        }
        failures.report(std::move(*assignment), result);
        Resting resting(options.resting);
        pause.expires_after(failures.pause());
        co_await pause.async_wait(asio::use_awaitable);
    }
}

}  // namespace pool_client
