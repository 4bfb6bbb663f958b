// A run with tasks that wait for a person, in one process, and with a log whose calls a test may script.
#pragma once

#include "io/log.hpp"
#include "io_helper.hpp"
#include "runner/runner.hpp"
#include "scripted_calls.hpp"

#include <boost/asio/post.hpp>

#include <deque>
#include <fstream>
#include <functional>
#include <future>
#include <optional>
#include <sstream>
#include <utility>

namespace human_run_test {

constexpr config::StepId ask{0}, work{1};

inline config::WorkflowConfig asking_config() {
    config::WorkflowConfig config;
    config.steps.resize(2);
    config.steps[0].name = "Ask";
    config.steps[0].action = config::HumanAction{"Is it good?", {}};
    config.steps[1].name = "Work";
    config.steps[1].action = config::Command{"echo '[]'"};
    for (auto& step : config.steps)
        step.next = {ask, work};
    config.by_name = {{"Ask", ask}, {"Work", work}};
    config.directory = "/";
    config.resolved =
        R"({"steps":[{"name":"Ask","action":{"kind":"Human"},"next":["Ask","Work"]},{"name":"Work","action":)"
        R"({"kind":"Command","script":"echo '[]'"},"next":["Ask","Work"]}]})";
    return config;
}

// What was told of the attempts.
struct Seen : runner::Observer {
    std::vector<workflow::TaskId> started_tasks, decided_tasks;
    std::function<void(workflow::TaskId)> on_started = [](workflow::TaskId) {};
    std::function<void(workflow::TaskId)> on_decided = [](workflow::TaskId) {};

    void begun(const workflow::State&) override {}
    void started(const runner::Attempt& attempt) override {
        started_tasks.push_back(attempt.task);
        on_started(attempt.task);
    }
    void entered(const runner::Attempt&, workflow::Phase) override {}
    void activity(const runner::Attempt&, const pool_protocol::AgentName&,
                  const std::optional<pool_protocol::AgentActivity>&) override {}
    void put_back(const runner::Attempt&) override {}
    void decided(const runner::Decision& decision) override {
        decided_tasks.push_back(decision.attempt.task);
        on_decided(decision.attempt.task);
    }
};

inline boost::asio::awaitable<void> run_to_end(runner::Runner& runner,
                                               std::optional<statelog::Journal>& journal,
                                               runner::Outcome& outcome) {
    outcome = co_await runner.run();
    if (!journal) co_return;
    base::Result<void> closed = co_await journal->close();
    static_cast<void>(closed);
}

// Each time that only questions are left, the next of `when_waiting` is called.
struct HumanRun {
    explicit HumanRun(std::vector<config::StepId> first = {ask})
        : start{workflow::State(config), {}, 0}, first_(std::move(first)) {
        io::log::set_level(io::log::Level::error);
        settings.observer = &seen;
        settings.jobs = 1;
        settings.attempts_directory = directory / "attempts";
        settings.on_waiting = [this](std::size_t count) {
            waited_for.push_back(count);
            if (when_waiting.empty()) return;
            boost::asio::post(loop, when_waiting.front());
            when_waiting.pop_front();
        };
    }

    void expires_after(std::chrono::milliseconds time) {
        std::get<config::HumanAction>(config.steps[0].action).expires = time;
    }

    // The run has a log, whose calls the test may script.
    void use_log() { calls.emplace(); }

    runner::Outcome to_its_end() {
        std::string head;
        statelog::append_header(head, {config.resolved, "/", "r", first_.size()}, statelog::Time());
        std::vector<config::NewTask> tasks;
        for (config::StepId step : first_)
            tasks.push_back({step, "7"});
        for (const auto& entry : workflow::decide_initial(start.state, std::move(tasks)))
            workflow::apply(config, start.state, entry).value();
        if (calls) {
            auto file = statelog::LogFile::create(directory / "log", head, calls->calls());
            journal.emplace(loop.get_executor(), std::move(*file), statelog::Fsync::never,
                            [](base::Error) {});
            settings.journal = &*journal;
            if (on_first_write) calls->before = [this](const std::string& name) { before(name); };
        }
        runner.emplace(loop.get_executor(), config, std::move(settings), std::move(start));
        runner::Outcome outcome;
        test::run(loop, run_to_end(*runner, journal, outcome));
        return outcome;
    }

    // While the first commit goes on.
    void before(const std::string& name) {
        if (name != "write" || !on_first_write) return;
        std::promise<void> done;
        boost::asio::post(loop, [&] {
            std::exchange(on_first_write, nullptr)();
            done.set_value();
        });
        done.get_future().wait();
    }

    // What was said to it is in `replies`, "refused: …" if it does not count.
    void answer(std::uint64_t task, std::optional<std::string> response, std::string reason = "") {
        runner->answer({{task}, "ann", std::move(response), std::move(reason)},
                       [this](base::Result<std::string> told) {
                           replies.push_back(told ? *told : "refused: " + told.error().message);
                       });
    }

    std::string log_text() const {
        std::ostringstream text;
        text << std::ifstream(directory / "log").rdbuf();
        return text.str();
    }

    test::TemporaryDirectory directory;
    config::WorkflowConfig config = asking_config();
    Seen seen;
    boost::asio::io_context loop{1};
    std::optional<test::ScriptedCalls> calls;
    std::optional<statelog::Journal> journal;
    runner::Settings settings;
    statelog::Start start;
    std::optional<runner::Runner> runner;
    std::deque<std::function<void()>> when_waiting;
    std::function<void()> on_first_write;
    std::vector<std::size_t> waited_for;
    std::vector<std::string> replies;

  private:
    std::vector<config::StepId> first_;
};

using Texts = std::vector<std::string>;
using Tasks = std::vector<workflow::TaskId>;

}  // namespace human_run_test
