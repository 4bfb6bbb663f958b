// A run with tasks that wait for a person.
#include "base/text.hpp"
#include "io/log.hpp"
#include "io_helper.hpp"
#include "runner/runner.hpp"
#include "scripted_calls.hpp"

#include <boost/asio/post.hpp>

#include <deque>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <future>
#include <optional>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace asio = boost::asio;
using Catch::Matchers::Contains;
using runner::Outcome;
using statelog::Time;
using workflow::TaskId;

namespace {

constexpr config::StepId ask{0}, work{1};

config::WorkflowConfig asking_config() {
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
    std::vector<TaskId> started_tasks, decided_tasks;
    std::function<void(TaskId)> on_started = [](TaskId) {};
    std::function<void(TaskId)> on_decided = [](TaskId) {};

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

asio::awaitable<void> run_to_end(runner::Runner& runner, std::optional<statelog::Journal>& journal,
                                 Outcome& outcome) {
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
            asio::post(loop, when_waiting.front());
            when_waiting.pop_front();
        };
    }

    void expires_after(std::chrono::milliseconds time) {
        std::get<config::HumanAction>(config.steps[0].action).expires = time;
    }

    // The run has a log, whose calls the test may script.
    void use_log() { calls.emplace(); }

    Outcome to_its_end() {
        std::string head;
        statelog::append_header(head, {config.resolved, "/", "r", first_.size()}, Time());
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
        Outcome outcome;
        test::run(loop, run_to_end(*runner, journal, outcome));
        return outcome;
    }

    // While the first commit goes on.
    void before(const std::string& name) {
        if (name != "write" || !on_first_write) return;
        std::promise<void> done;
        asio::post(loop, [&] {
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
    asio::io_context loop{1};
    std::optional<test::ScriptedCalls> calls;
    std::optional<statelog::Journal> journal;
    runner::Settings settings;
    runner::Start start;
    std::optional<runner::Runner> runner;
    std::deque<std::function<void()>> when_waiting;
    std::function<void()> on_first_write;
    std::vector<std::size_t> waited_for;
    std::vector<std::string> replies;

  private:
    std::vector<config::StepId> first_;
};

using Texts = std::vector<std::string>;
using Tasks = std::vector<TaskId>;

}  // namespace

TEST_CASE("a person's answer counts once, and its tasks are done") {
    HumanRun run;
    run.use_log();
    run.when_waiting = {[&] {
                            run.answer(0, R"([{"kind":"Work","value":1},{"kind":"Ask","value":2}])");
                            run.answer(0, "[]");  // while the first one is not durable
                        },
                        [&] {
                            run.answer(0, "[]");
                            run.answer(1, "[]");
                            run.answer(17, "[]");
                            run.answer(2, "[]");
                        }};
    auto outcome = run.to_its_end();
    CHECK(outcome.all_well());
    CHECK(run.replies ==
          Texts{"task 0 is answered; 2 tasks follow",
                "refused: task 0 was answered by ann; one answer counts",
                "refused: task 0 does not wait for a person", "refused: task 1 does not wait for a person",
                "refused: task 17 does not wait for a person", "task 2 is answered; 0 tasks follow"});
    CHECK(run.waited_for == std::vector<std::size_t>{1, 1});
    CHECK(outcome.steps[ask.value].done == 2);
    CHECK(outcome.steps[work.value].done == 1);
    CHECK(run.seen.decided_tasks == Tasks{{0}, {1}, {2}});
    CHECK_THAT(run.log_text(), Contains(R"("answered_by":"ann")"));
}

TEST_CASE("a task may be answered as soon as it is in the log, before it is known to be durable") {
    HumanRun run;
    run.use_log();
    run.when_waiting = {[&] { run.answer(0, R"([{"kind":"Ask","value":1}])"); }};
    run.on_first_write = [&] {
        run.answer(1, "[]");
        run.answer(1, "[]");
    };
    auto outcome = run.to_its_end();
    CHECK(outcome.all_well());
    CHECK(run.replies == Texts{"task 0 is answered; 1 task follows", "task 1 is answered; 0 tasks follow",
                               "refused: task 1 was answered by ann; one answer counts"});
}

TEST_CASE("an answer that came early is refused if the run ends before") {
    HumanRun run;
    run.use_log();
    run.when_waiting = {[&] { run.answer(0, R"([{"kind":"Ask","value":1}])"); }};
    run.on_first_write = [&] {
        run.answer(1, "[]");
        run.calls->fail_at = run.calls->made().size();
    };
    CHECK(run.to_its_end().end == Outcome::End::log_failed);
    REQUIRE(run.replies.size() == 2);
    for (const std::string& reply : run.replies)
        CHECK_THAT(reply,
                   Contains("can't be answered: the run ended before the answer was in its state log"));
}

TEST_CASE("a task that a person rejects is dropped") {
    HumanRun run;
    run.config.steps[0].options.max_retries = 3;
    run.when_waiting = {[&] { run.answer(0, {}, "too long"); }};
    auto outcome = run.to_its_end();
    CHECK(run.replies == Texts{"task 0 is rejected"});
    CHECK(outcome.end == Outcome::End::finished);
    REQUIRE(outcome.dropped.size() == 1);
    CHECK(outcome.dropped[0].message == "rejected by ann: too long");
    CHECK(outcome.steps[ask.value].retried == 0);
}

TEST_CASE("after an answer that does not fit, the task waits on") {
    HumanRun run;
    run.when_waiting = {[&] {
        run.answer(0, R"([{"kind":"Nowhere","value":1}])");
        run.answer(0, "[");
        run.answer(0, "[]");
    }};
    CHECK(run.to_its_end().all_well());
    REQUIRE(run.replies.size() == 3);
    CHECK_THAT(run.replies[0], Catch::StartsWith("refused: task 0 can't have this answer: "));
    CHECK_THAT(run.replies[1], Catch::StartsWith("refused: task 0 can't have this answer: "));
    CHECK(run.replies[2] == "task 0 is answered; 0 tasks follow");
    CHECK(run.waited_for == std::vector<std::size_t>{1});
}

TEST_CASE("a question that nobody answers in time expires") {
    HumanRun run;
    run.expires_after(std::chrono::milliseconds(1));
    run.use_log();
    run.on_first_write = [&] { run.answer(0, "[]"); };  // the failure is not durable yet
    auto outcome = run.to_its_end();
    CHECK(outcome.end == Outcome::End::finished);
    REQUIRE(outcome.dropped.size() == 1);
    CHECK(outcome.dropped[0].message == "no person has answered in time");
    CHECK(run.replies == Texts{"refused: task 0 does not wait for a person"});
    CHECK_THAT(run.log_text(), !Contains("answered_by"));
}

TEST_CASE("the time of a question counts from when it was asked, also by an earlier run") {
    HumanRun run({ask, ask, ask});
    auto now = statelog::now();
    run.expires_after(std::chrono::hours(2));
    run.use_log();
    Time long_ago = now - std::chrono::hours(3);
    run.start.asked_since = {{{0}, now - std::chrono::hours(1)}, {{1}, long_ago}};
    run.when_waiting = {[&] {
        CHECK(run.seen.decided_tasks == Tasks{{1}});
        run.answer(1, "[]");
        run.answer(0, "[]");
        run.answer(2, "[]");
    }};
    auto outcome = run.to_its_end();
    CHECK(run.waited_for == std::vector<std::size_t>{2});
    CHECK(outcome.dropped_count == 1);
    CHECK(outcome.steps[ask.value].done == 2);
    CHECK(run.replies.size() == 3);
    CHECK_THAT(run.log_text(),
               Contains(base::concat("\"started\":", long_ago.time_since_epoch().count(), ",")));
}

TEST_CASE("a run that is to exit when it waits does so when nothing else is left to do") {
    for (std::size_t count : {1U, 2U}) {
        std::vector<config::StepId> first(count, ask);
        first.push_back(work);
        HumanRun run(first);
        run.settings.exit_when_waiting = true;
        run.when_waiting = {[&] { run.answer(0, "[]"); }};
        auto outcome = run.to_its_end();
        CHECK(outcome.end == Outcome::End::waiting);
        CHECK(outcome.message == (count == 1 ? "1 task waiting for a human" : "2 tasks waiting for a human"));
        CHECK(outcome.unfinished == count);
        CHECK(outcome.steps[work.value].done == 1);
        CHECK(run.replies == Texts{"refused: task 0 can't be answered: the run is about to end"});
    }
}

TEST_CASE("a run that ends with questions leaves nothing behind that waits until they expire") {
    HumanRun run;
    run.expires_after(std::chrono::hours(1));
    run.settings.exit_when_waiting = true;
    CHECK(run.to_its_end().end == Outcome::End::waiting);
    CHECK(run.runner->questions() == 1);
    run.loop.restart();
    run.loop.poll();
    CHECK(run.loop.stopped());
}

TEST_CASE("an answer counts while the run is paused, and what follows waits for the end of the pause") {
    HumanRun run;
    run.when_waiting = {[&] {
        run.runner->set_paused(true);
        run.answer(0, R"([{"kind":"Work","value":1}])");
    }};
    bool started_in_pause = true;
    run.seen.on_decided = [&](TaskId task) {
        if (task != TaskId{0}) return;
        // Some turns of the loop, in which a run that is not paused starts the next task.
        auto look = std::make_shared<std::function<void(int)>>();
        *look = [&, look](int turns) {
            if (turns > 0) return asio::post(run.loop, [look, turns] { (*look)(turns - 1); });
            started_in_pause = run.seen.started_tasks != Tasks{{0}};
            run.runner->set_paused(false);
            *look = nullptr;
        };
        asio::post(run.loop, [look] { (*look)(20); });
    };
    auto outcome = run.to_its_end();
    CHECK(outcome.all_well());
    CHECK_FALSE(started_in_pause);
    CHECK(run.replies == Texts{"task 0 is answered; 1 task follows"});
    CHECK(run.seen.started_tasks == Tasks{{0}, {1}});
}

TEST_CASE("an answer that cannot be written is refused and does not count") {
    HumanRun run;
    run.use_log();
    run.when_waiting = {[&] {
        run.calls->fail_at = run.calls->made().size();
        run.answer(0, "[]");
    }};
    auto outcome = run.to_its_end();
    CHECK(outcome.end == Outcome::End::log_failed);
    CHECK(outcome.steps[ask.value].done == 0);
    CHECK(outcome.unfinished == 1);
    REQUIRE(run.replies.size() == 1);
    CHECK_THAT(run.replies[0], Catch::StartsWith("refused: task 0 can't be answered"));
    CHECK(run.seen.decided_tasks.empty());
}

TEST_CASE("a task that waits when the time of the run is up is dropped, and has no answer any more") {
    HumanRun run;
    run.use_log();
    run.settings.bounds.max_run_seconds = std::chrono::duration<double>(0.001);
    run.on_first_write = [&] { run.answer(0, "[]"); };  // the drop is not durable yet
    auto outcome = run.to_its_end();
    CHECK(outcome.end == Outcome::End::finished);
    CHECK_THAT(outcome.message, Contains("max_run_seconds: 1 of Ask"));
    CHECK(run.replies == Texts{"refused: task 0 does not wait for a person"});
    CHECK(outcome.steps[ask.value].dropped == 1);
}

TEST_CASE("a question may expire after the time of the run, while the run winds down") {
    HumanRun run({work, ask});
    std::string held = run.directory / "held";
    REQUIRE(::mkfifo(held.c_str(), 0600) == 0);
    run.config.steps[1].action = config::Command{base::concat("read line <", held, "; echo $line")};
    run.expires_after(std::chrono::milliseconds(200));
    run.settings.bounds.max_run_seconds = std::chrono::duration<double>(0.05);
    int end = ::open(held.c_str(), O_RDWR | O_CLOEXEC);
    run.seen.on_decided = [&](TaskId task) {
        if (task != TaskId{1}) return;
        CHECK(::write(end, "[]\n", 3) == 3);
    };
    run.seen.on_started = [&](TaskId task) {
        if (task != TaskId{0}) return;
        asio::post(run.loop, [&] { run.runner->wind_down(Outcome::End::no_agents, "nobody is left"); });
    };
    run.to_its_end();
    ::close(end);
    CHECK(run.seen.decided_tasks == Tasks{{1}, {0}});
}

namespace {

// Answers each task with no task.
struct StandIn : runner::AttemptRunner {
    asio::awaitable<base::Result<workflow::AttemptEnd>> run(runner::Attempt attempt, runner::Job) override {
        done.push_back(attempt.task);
        co_return workflow::AttemptEnd(std::vector<config::NewTask>());
    }
    Tasks done;
};

}  // namespace

TEST_CASE("a substitute that makes results up answers as well") {
    HumanRun run({ask, work, ask});
    StandIn stand_in;
    run.settings.stand_in = &stand_in;
    CHECK(run.to_its_end().all_well());
    std::ranges::sort(stand_in.done);
    CHECK(stand_in.done == Tasks{{0}, {1}, {2}});
    CHECK(run.waited_for.empty());
}

TEST_CASE("a hundred questions at once hold no place") {
    constexpr std::size_t questions = 100;
    std::vector<config::StepId> first(questions, ask);
    first.push_back(work);
    HumanRun run(first);
    run.config.max_concurrency = 1;
    run.config.steps[0].options.max_concurrency = 1;
    run.config.steps[0].options.priority = 1;
    run.when_waiting = {[&] {
        CHECK(run.seen.decided_tasks == Tasks{{questions}});
        CHECK(run.runner->questions() == questions);
        for (std::uint64_t task = questions; task-- > 0;)
            run.answer(task, "[]");
    }};
    auto outcome = run.to_its_end();
    CHECK(outcome.all_well());
    CHECK(run.waited_for == std::vector<std::size_t>{questions});
    CHECK(outcome.steps[ask.value].done == questions);
}
