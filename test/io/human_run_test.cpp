// A run with tasks that wait for a person.
#include "human_run.hpp"

#include "base/text.hpp"

#include <boost/asio/post.hpp>

#include <fcntl.h>
#include <functional>
#include <sys/stat.h>
#include <unistd.h>

namespace asio = boost::asio;
using namespace human_run_test;
using Catch::Matchers::Contains;
using runner::Outcome;
using statelog::Time;
using workflow::TaskId;

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
