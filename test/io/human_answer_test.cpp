// The answers of people to the questions of a run.
#include "human_run.hpp"

using namespace human_run_test;
using Catch::Matchers::Contains;
using runner::Outcome;

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
