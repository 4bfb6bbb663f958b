// An inspected log for tests, from its text.
#pragma once

#include "../statelog/log_text.hpp"
#include "inspect/report.hpp"

#include <memory>
#include <sstream>
#include <string>
#include <utility>

// Keeps what an InspectedLog refers to.
struct Inspected {
    std::string text;
    inspect::Inspection inspection;
    std::unique_ptr<statelog::Replay> replay;
    statelog::Tail tail;
    statelog::Use use = statelog::Use::free;

    // As of a minute after the time 1.
    inspect::InspectedLog log() const {
        auto read_line = [this](std::uint64_t offset) -> base::Result<std::string> {
            return text.substr(offset, text.find('\n', offset) - offset);
        };
        return {inspection,   *replay, tail,
                "LOG",        use,     {},
                "resume LOG", "",      statelog::Time(std::chrono::milliseconds(60'001)),
                read_line};
    }

    std::string shown() const { return inspect::log_text(log()).value(); }
    std::string story(std::uint64_t id) const {
        return inspect::task_text(log(), inspection.find({id}).value()).value();
    }
    std::string json(std::optional<std::uint64_t> id = std::nullopt) const {
        std::ostringstream out;
        auto only = id ? inspection.find({*id}) : std::nullopt;
        REQUIRE(inspect::write_json(out, log(), only).has_value());
        return out.str();
    }
    const inspect::InspectedTask& task(std::uint64_t id) const {
        return inspection.tasks()[inspection.find({id}).value()];
    }
};

inline Inspected inspected(std::string text, statelog::Use use = statelog::Use::free) {
    Inspected made{std::move(text), {}, nullptr, {}, use};
    made.replay = std::make_unique<statelog::Replay>(
        "LOG", [&](const statelog::Replay& replay, const statelog::Record& record) {
            made.inspection.add(replay, record);
        });
    auto fed = made.replay->feed(made.text);
    INFO((fed ? "" : fed.error().message));
    REQUIRE(fed.has_value());
    auto tail = made.replay->finish();
    INFO((tail ? "" : tail.error().message));
    REQUIRE(tail.has_value());
    REQUIRE_FALSE(tail->torn_group);
    made.tail = *tail;
    made.inspection.conclude(*made.replay);
    return made;
}

// The line with these times put in.
inline std::string at(std::string line, std::int64_t time, std::optional<std::int64_t> started = {}) {
    std::string fields = R"(,"time":)" + std::to_string(time);
    if (started) fields += R"(,"started":)" + std::to_string(*started);
    return line.insert(line.size() - 2, fields);
}

// A failure of a command with that message as JSON, without a retry.
inline std::string dropped(int id, const std::string& message) {
    return R"({"kind":"TaskCompleted","task_id":)" + std::to_string(id) +
           R"(,"outcome":{"kind":"Failed","value":{"reason":{"kind":"CommandFailed","exit_code":3,"message":)" +
           message + R"(},"retry_task_id":null}}})" + "\n";
}

// The task was dropped instead of started.
inline std::string past_bound(int id, const std::string& bound) {
    return R"({"kind":"TaskCompleted","task_id":)" + std::to_string(id) +
           R"(,"outcome":{"kind":"Failed","value":{"reason":{"kind":"PastBound","failure":")" + bound +
           R"(","message":"not started: why"},"retry_task_id":null}}})" + "\n";
}

// A (0) has spawned B (1) and B (2); the second failed and was tried again as 3. What A's finally is to be.
inline const std::string initial_log =
    config_line + at(submitted(0, "A", "null", initial, R"({"n": 1.0})"), 1);
inline const std::string grown = initial_log + at(succeeded(0, "[1,2]"), 2000, 1000) +
                                 at(submitted(1, "B", "0", spawned), 2000) +
                                 at(submitted(2, "B", "0", spawned), 2000);
inline const std::string retried =
    grown + at(failed(2, R"(,"retry_task_id":3)"), 4500, 2500) + at(submitted(3, "B", "0", retry(2)), 4500);
inline const std::string ended = retried + at(dropped(1, R"("no\nlast words")"), 5000, 4000) +
                                 at(succeeded(3, "[]"), 6000, 5000) +
                                 at(submitted(4, "A", "null", finally_for(0), R"({"n": 1.0})"), 6000);
inline const std::string over = ended + at(succeeded(4, "[]"), 7000, 6500);

// The same many times, of tasks that spawned one after the other: ids 1 to `count`.
inline std::string many(int count, std::string (*end)(int)) {
    std::string ids;
    std::string children;
    std::string ends;
    for (int id = 1; id <= count; ++id) {
        ids += (id == 1 ? "" : ",") + std::to_string(id);
        children += submitted(id, "B", "0", spawned);
        ends += end(id);
    }
    return initial_log + succeeded(0, "[" + ids + "]") + children + ends;
}
