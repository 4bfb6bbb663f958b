#include "progress/table.hpp"

#include "runs.hpp"
#include "terminal/width.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <ctime>

using namespace runs;
using progress::Agents;
using progress::DisplayOptions;
using progress::table;
using Lines = std::vector<std::string>;

TEST_CASE("a run on 80 by 24") {
    CHECK(table(small(), Agents{1, 2}, std::nullopt, at(40s), {{80, 24}, false}) ==
          Lines{"41 of 119 tasks in 0:40, 1.0/s; 2 of 3 agents busy",
                "step     wait  pool  run  done  drop  retry                rate    ETA",
                "List                         1               ██████████",
                "Measure    76     1    1    20            1  ██░░░░░░░░   0.5/s   2:31",
                "Record                      20               ██████████",  //
                "Report",                                                   //
                "longest without a result",                                 //
                "  task 1 Measure  0:39  pool"});
}

TEST_CASE("where there is room the columns have their whole names, one for the pool if a step needs it") {
    CHECK(table(small(), std::nullopt, std::nullopt, at(40s), {{120, 24}, false})[1] ==
          "step     waiting  at pool  running  done  dropped  retries                rate    ETA");
    CHECK(table(large(400), std::nullopt, std::nullopt, at(40s), {{120, 24}, false})[1].find("pool") ==
          std::string::npos);
}

TEST_CASE("a run on 40 columns has fewer of its own") {
    CHECK(table(small(), std::nullopt, std::nullopt, at(40s), {{40, 24}, false}) ==
          Lines{"41 of 119 tasks in 0:40, 1.0/s",        //
                "step     wait  pool  run  done  drop",  //
                "List                         1",        //
                "Measure    76     1    1    20",        //
                "Record                      20",        //
                "Report",                                //
                "longest without a result",              //
                "  task 1 Measure  0:39  pool"});
}

TEST_CASE("of 500 steps those are shown where something goes on, and the number of the others") {
    CHECK(table(large(500), std::nullopt, std::nullopt, at(40s), {{60, 10}, false}) ==
          Lines{"249 of 251 tasks in 0:40",                              //
                "step     wait  run  done  drop  retry    rate    ETA",  //
                "Step1                  1",                              //
                "Step2                  1",                              //
                "Step3                  1",                              //
                "Step4                  1",                              //
                "Step250          1",                                    //
                "Step300     1",                                         //
                "… and 494 more"});
}

TEST_CASE("the fewest rows go to the headline, its columns and the step where something goes on") {
    CHECK(table(large(500), std::nullopt, std::nullopt, at(40s), {{60, 2}, false}) ==
          Lines{"249 of 251 tasks in 0:40"});
    auto lines = table(large(500), std::nullopt, std::nullopt, at(40s), {{60, 4}, false});
    REQUIRE(lines.size() == 3);
    CHECK(lines[2].starts_with("Step250 "));
    CHECK(table(large(500), std::nullopt, std::nullopt, at(40s), {{60, 5}, false}).back() ==
          "… and 499 more");
}

TEST_CASE("500 steps fill 24 rows, the cursor's excepted, and not one more") {
    Lines lines = table(large(500), std::nullopt, std::nullopt, at(40s), {{80, 24}, false});
    CHECK(lines.size() == 23);
    CHECK(lines[20] == "… and 482 more");
    CHECK(lines[21] == "longest without a result");
    CHECK(lines[22] == "  task 7 Step250  0:35  command");
}

TEST_CASE("wide and long names are cut to their column") {
    auto model = small({"日本語の名前がここに", "AVeryLongStepNameThatDoesNotFitAnywhereAtAll", "C", "D"});
    CHECK(table(model, std::nullopt, std::nullopt, at(40s), {{80, 8}, false}) ==
          Lines{"41 of 119 tasks in 0:40, 1.0/s",
                "step              wait  pool  run  done  drop  retry                rate    ETA",
                "日本語の名前が…                       1               ██████████",
                "AVeryLongStepNa…    76     1    1    20            1  ██░░░░░░░░   0.5/s   2:31",
                "C                                    20               ██████████", "D"});
}

TEST_CASE("no line is too wide and no table too high, whatever the size") {
    for (std::size_t columns = 2; columns < 130; ++columns)
        for (std::size_t rows = 2; rows < 30; ++rows) {
            auto lines = table(small(), Agents{1, 2, 3}, std::nullopt, at(40s), {{columns, rows}, true});
            CHECK(lines.size() < rows);
            CHECK(std::all_of(lines.begin(), lines.end(),
                              [&](const std::string& line) { return terminal::width(line) < columns; }));
        }
}

TEST_CASE("what the agent of a task does stands in the place of its phase, cut to the width") {
    auto model = small();
    model.activity(1, "claude-1: Edit libs/a.cpp · turn 7 · $0.31");
    model.activity(999, "claude-2: nothing that is known");
    CHECK(table(model, std::nullopt, std::nullopt, at(40s), {{80, 24}, false}).back() ==
          "  task 1 Measure  0:39  claude-1: Edit libs/a.cpp · turn 7 · $0.31");
    CHECK(table(model, std::nullopt, std::nullopt, at(40s), {{50, 24}, false}).back() ==
          "  task 1 Measure  0:39  claude-1: Edit libs/a.cp…");
    SECTION("when the agent has given the task back, its phase is shown again") {
        model.activity(1, "");
        CHECK(table(model, std::nullopt, std::nullopt, at(40s), {{80, 24}, false}).back() ==
              "  task 1 Measure  0:39  pool");
    }
    SECTION("so it is in the next phase") {
        model.entered(1, TaskPhase::post);
        CHECK(table(model, std::nullopt, std::nullopt, at(40s), {{80, 24}, false}).back() ==
              "  task 1 Measure  0:39  post");
    }
    SECTION("an attempt after the first is told") {
        model.activity(100, "claude-1: Read b");
        CHECK(table(model, std::nullopt, std::nullopt, at(45s), {{80, 24}, false}).back() ==
              "  task 100 Measure  0:05  attempt 2, claude-1: Read b");
    }
}

TEST_CASE("a long name leaves room for what the agent does") {
    auto model = small({"List", std::string(60, 'n'), "Record", "Report"});
    model.activity(1, "claude-1: Edit libs/a.cpp · turn 7 · $0.31");
    CHECK(table(model, std::nullopt, std::nullopt, at(40s), {{60, 24}, false}).back() ==
          "  task 1 nnnnnnnnnnnnnnnnnnn…  0:39  claude-1: Edit libs/a…");
}

TEST_CASE("parked agents are counted beside those that rest, with the time when the first is back") {
    ::setenv("TZ", "UTC", 1);
    ::tzset();
    Agents agents{1, 0, 1};
    agents.parked = 2;
    agents.time = 1'795'262'400s;  // 2026-11-21 12:00:00
    agents.parked_until = agents.time + 2h + 5min;
    CHECK(progress::agents_text(agents) == "0 of 4 agents busy, 1 resting, 2 parked until 14:05:00");
    agents.parked_until = agents.time + 48h;
    CHECK(progress::agents_text(agents) ==
          "0 of 4 agents busy, 1 resting, 2 parked until 2026-11-23 12:00:00");
}

TEST_CASE("agents that rest are agents, and without any there are no numbers") {
    CHECK(progress::agents_text({0, 0, 0}) == "no agents");
    CHECK(progress::agents_text({1, 2, 0}) == "2 of 3 agents busy");
    CHECK(progress::agents_text({0, 0, 1}) == "0 of 1 agent busy, 1 resting");
}

TEST_CASE("why no agent of the run is at work stands below the headline, cut to the width") {
    Agents agents{0, 0, 2, "every agent rests: no credit"};
    auto lines = table(small(), agents, std::nullopt, at(40s), {{80, 24}, false});
    CHECK(lines[0] == "41 of 119 tasks in 0:40, 1.0/s; 0 of 2 agents busy, 2 resting");
    CHECK(lines[1] == "every agent rests: no credit");
    CHECK(lines[2].starts_with("step "));
    CHECK(terminal::width(table(small(), agents, std::nullopt, at(40s), {{20, 24}, false})[1]) < 20);
    for (std::size_t rows = 3; rows <= 30; ++rows)
        CHECK(table(large(500), agents, std::nullopt, at(40s), {{60, rows}, false}).size() < rows);
}

TEST_CASE("colours change nothing but colours") {
    auto plain = table(small(), Agents{1, 2}, std::nullopt, at(40s), {{80, 24}, false});
    auto colored = table(small(), Agents{1, 2}, std::nullopt, at(40s), {{80, 24}, true});
    REQUIRE(plain.size() == colored.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
        std::string line = colored[i];
        for (auto at = line.find('\x1b'); at != std::string::npos; at = line.find('\x1b'))
            line.erase(at, line.find('m', at) + 1 - at);
        line.erase(line.find_last_not_of(' ') + 1);
        CHECK(line == plain[i]);
        CHECK(plain[i].find('\x1b') == std::string::npos);
    }
    CHECK(colored[3].find("\x1b[36m   1\x1b[0m") != std::string::npos);
}

TEST_CASE("a task has its line once it has run for two seconds") {
    auto model = small();
    CHECK(table(model, std::nullopt, std::nullopt, at(41s), {{80, 24}, false}).back() ==
          "  task 1 Measure  0:40  pool");
    CHECK(table(model, std::nullopt, std::nullopt, at(41100ms), {{80, 24}, false}).back() ==
          "  task 100 Measure  0:02  post, attempt 2");
}

TEST_CASE("the last table has every step that had tasks, and what is left if anything is") {
    auto model = small();
    model.ended(at(41s));
    CHECK(progress::final_table(model, at(50s), {{80, 3}, false}) ==
          Lines{"step     waiting  done  dropped  retries",  //
                "List                 1",                    //
                "Measure       78    20                 1",  //
                "Record              20"});
    CHECK(progress::final_table(large(500), at(50s), {{80, 3}, false}).size() == 252);
}

TEST_CASE("what was spent stands in the headline, beside the steps, and below by agent and model") {
    CHECK(table(small(), Agents{1, 2}, spent(), at(40s), {{101, 24}, false}) ==
          Lines{"41 of 119 tasks in 0:40, 1.0/s; 2 of 3 agents busy; spent $1.48 of $25.00",
                "step     wait  pool  run  done  drop  retry  tokens     cost                rate    ETA",
                "List                         1                                ██████████",
                "Measure    76     1    1    20            1     95k   ≥$1.48  ██░░░░░░░░   0.5/s   2:31",
                "Record                      20                  812  $0.0012  ██████████", "Report",
                "by agent: claude $1.27 (55k tokens), codex ≥$0.21 (40k tokens)",
                "by model: opus $1.27 (55k tokens), gpt-5.2 ≥$0.21 (40k tokens)", "longest without a result",
                "  task 1 Measure  0:39  pool"});
}

TEST_CASE("on 80 columns there is room for tokens and cost, but not for the bar") {
    auto lines = table(small(), std::nullopt, spent(), at(40s), {{80, 24}, false});
    CHECK(lines[1] == "step     wait  pool  run  done  drop  retry  tokens     cost    rate    ETA");
    CHECK(lines[3] == "Measure    76     1    1    20            1     95k   ≥$1.48   0.5/s   2:31");
    CHECK(table(small(), std::nullopt, spent(), at(40s), {{60, 24}, false})[1] ==
          "step     wait  pool  run  done  drop  retry     cost    ETA");
}

TEST_CASE("without prices there is no column for the cost, and without reports none at all") {
    progress::Spending spending{{900, 0, 100}, "1000 tokens", {{1, "codex", "", {900, 0, 100}}}};
    auto lines = table(small(), std::nullopt, spending, at(40s), {{120, 24}, false});
    CHECK(lines[1] ==
          "step     waiting  at pool  running  done  dropped  retries  tokens                rate    ETA");
    CHECK_FALSE(lines[6].starts_with("by "));
    spending = {{}, "spent $0.00 of $3.00", {}};
    CHECK(table(small(), std::nullopt, spending, at(40s), {{120, 24}, false})[1] ==
          table(small(), std::nullopt, std::nullopt, at(40s), {{120, 24}, false})[1]);
}

TEST_CASE("with usage, too, no line is too wide and no table too high") {
    for (std::size_t columns = 2; columns < 130; ++columns)
        for (std::size_t rows = 2; rows < 30; ++rows) {
            auto lines = table(small(), Agents{1, 2, 3}, spent(), at(40s), {{columns, rows}, true});
            CHECK(lines.size() < rows);
            CHECK(std::all_of(lines.begin(), lines.end(),
                              [&](const std::string& line) { return terminal::width(line) < columns; }));
        }
}
