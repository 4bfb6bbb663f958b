// Tasks that wait for a person.
#include "progress/events.hpp"
#include "progress/model.hpp"
#include "progress/summary.hpp"
#include "progress/table.hpp"
#include "runs.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace runs;
using progress::Counts;
using Lines = std::vector<std::string>;

namespace {

// Two of four tasks of Approve wait for a person; a third one and one of Publish run.
Model asking() {
    Model model({{"Approve", false, {1}, false, true}, {"Publish", false, {}}},
                {{4, 0, 0, 0, 0}, {1, 0, 0, 0, 0}}, at(0ms));
    for (std::uint64_t id = 0; id < 3; ++id)
        model.started(id, 0, 1, at(1s));
    model.entered(0, TaskPhase::human);
    model.entered(1, TaskPhase::human);
    model.started(4, 1, 1, at(2s));
    model.entered(4, TaskPhase::command);
    return model;
}

bool are_with_asked(const Counts& counts, std::uint64_t waiting, std::uint64_t running, std::uint64_t asked,
                    std::uint64_t done, std::uint64_t dropped) {
    return counts.waiting == waiting && counts.running == running && counts.asked == asked &&
           counts.done == done && counts.dropped == dropped;
}

}  // namespace

TEST_CASE("what waits for a person is counted until it is over") {
    Model model = asking();
    CHECK(are_with_asked(model.counts(0), 1, 3, 2, 0, 0));
    CHECK(are_with_asked(model.total(), 1, 4, 2, 0, 0));
    model.done(0, at(3s));
    CHECK(are_with_asked(model.counts(0), 1, 2, 1, 1, 0));
    model.dropped(1, at(4s));
    CHECK(are_with_asked(model.counts(0), 1, 1, 0, 1, 1));
    CHECK(are_with_asked(model.total(), 1, 2, 0, 1, 1));
}

TEST_CASE("a task that waits for a person may be dropped as one that was not started") {
    Model model = asking();
    model.not_started(1, 0);  // was asked
    model.not_started(3, 0);  // was waiting
    CHECK(are_with_asked(model.counts(0), 0, 2, 1, 0, 2));
    CHECK(are_with_asked(model.total(), 0, 3, 1, 0, 2));
}

TEST_CASE("at the end of the run what waits for a person still does, and the rest waits") {
    Model model = asking();
    model.ended(at(5s));
    CHECK(are_with_asked(model.counts(0), 2, 2, 2, 0, 0));
    CHECK(are_with_asked(model.total(), 3, 2, 2, 0, 0));
    Lines table = progress::final_table(model, at(5s), {{80, 24}, false});
    CHECK(std::ranges::count_if(table, [](const std::string& line) {
              return line.find("waiting  human  done") != std::string::npos;
          }) == 1);
}

TEST_CASE("the longest running tasks are_with_asked without those that wait for a person") {
    Model model = asking();
    auto longest = model.longest_running(9);
    REQUIRE(longest.size() == 2);
    CHECK(longest[0].id == 2);
    CHECK(longest[1].id == 4);
}

TEST_CASE("the summary tells what waits for a person, apart from what runs") {
    Model model = asking();
    CHECK(progress::summary_line(model, std::nullopt, std::nullopt, at(9s))
              .find("1 waiting, 2 waiting for a human, 2 running") != std::string::npos);
    model.done(0, at(3s));
    model.done(1, at(3s));
    CHECK(progress::summary_line(model, std::nullopt, std::nullopt, at(9s)).find("human") ==
          std::string::npos);
}

TEST_CASE("there is a column for what waits for a person if a step asks one") {
    Lines lines = table(asking(), std::nullopt, std::nullopt, at(9s), {{120, 24}, false});
    REQUIRE(lines.size() > 3);
    CHECK(lines[0] == "0 of 5 tasks in 0:09, 2 waiting for a human");
    CHECK(lines[1].starts_with("step     waiting  human  running  done"));
    CHECK(lines[2].starts_with("Approve        1      2        1"));
    CHECK(lines[3].starts_with("Publish                        1"));
    CHECK(table(small(), std::nullopt, std::nullopt, at(40s), {{120, 24}, false})[1].find("human") ==
          std::string::npos);
}
