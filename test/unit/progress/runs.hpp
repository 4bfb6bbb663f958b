// Runs to look at: a small one in the middle of its work, and one of as many steps as you like.
#pragma once

#include "progress/model.hpp"
#include "progress/spending.hpp"

#include <string>
#include <vector>

namespace runs {

using namespace std::chrono_literals;
using progress::Model;
using progress::Step;
using progress::TaskPhase;
using progress::Time;

inline Time at(std::chrono::milliseconds after_begin) {
    return Time(1000s + after_begin);
}

inline void done(Model& model, std::uint64_t id, std::size_t step, std::chrono::milliseconds from,
                 std::chrono::milliseconds to) {
    model.started(id, step, 1, at(from));
    model.done(id, at(to));
}

// At 40 s: List is through, Measure goes on at one task in two seconds, Record follows each.
inline Model small(const std::vector<std::string>& names = {"List", "Measure", "Record", "Report"}) {
    Model model(
        {{names[0], false, {1}}, {names[1], false, {2}, true}, {names[2], false, {}}, {names[3], false, {}}},
        {{1, 0, 0, 0, 0}}, at(0ms));
    done(model, 0, 0, 0ms, 500ms);
    for (int i = 0; i < 98; ++i)
        model.submitted(1);
    model.started(1, 1, 1, at(1s));
    model.entered(1, TaskPhase::pool);
    for (std::uint64_t i = 0; i < 20; ++i) {
        auto from = std::chrono::milliseconds(2000 * i);
        done(model, 10 + i, 1, from, from + 1900ms);
        model.submitted(2);
        done(model, 50 + i, 2, from + 1900ms, from + 1950ms);
    }
    model.started(2, 1, 1, at(39s));
    model.retried(2);
    model.started(100, 1, 2, at(39100ms));
    model.entered(100, TaskPhase::post);
    return model;
}

// `steps` steps, Step1, Step2, … in a chain; step 250 has a task that runs since 5 s, 300 one that waits.
inline Model large(std::size_t steps) {
    std::vector<Step> all;
    for (std::size_t i = 0; i < steps; ++i)
        all.push_back({"Step" + std::to_string(i + 1), false, {}});
    for (std::size_t i = 0; i + 1 < steps; ++i)
        all[i].next = {i + 1};
    std::vector<progress::Counts> counts(steps);
    for (std::size_t i = 0; i < 249; ++i)
        counts[i].done = 1;
    counts[249].waiting = 1;
    counts[299].waiting = 1;
    Model model(std::move(all), std::move(counts), at(0ms));
    model.started(7, 249, 1, at(5s));
    model.entered(7, TaskPhase::command);
    return model;
}

// What the agents of the small run have used at Measure, one of them partly without prices, and at Record.
inline progress::Spending spent() {
    progress::Spending spending{{90'812, 52'000, 5'000, 1.48, true}, "spent $1.48 of $25.00", {}};
    spending.rows.push_back({1, "claude", "opus", {51'200, 41'000, 3'800, 1.27, false}});
    spending.rows.push_back({1, "codex", "gpt-5.2", {38'800, 11'000, 1'200, 0.21, true}});
    spending.rows.push_back({2, "claude", "opus", {812, 0, 0, 0.0012, false}});
    return spending;
}

}  // namespace runs
