// State logs for tests, written by hand, a line at a time.
#pragma once

#include "statelog/replay.hpp"

#include <catch2/catch.hpp>

#include <string>

inline const std::string config_text =
    R"({"entrypoint":"A","steps":[{"name":"A","action":{"kind":"Command","script":"a"},"next":["A","B"],)"
    R"("finally":{"kind":"Command","script":"f"},"options":{"max_retries":2}},)"
    R"({"name":"B","action":{"kind":"Command","script":"b"},"next":[],"options":{"max_retries":2}}]})";

// Lines of a log, whole ones.
inline const std::string config_line =
    R"({"kind":"Config","config":)" + config_text + R"(,"directory":"/","run_id":"r","time":1})" + "\n";

inline std::string submitted(int id, const std::string& step, const std::string& parent,
                             const std::string& origin, const std::string& value = "{}") {
    return R"({"kind":"TaskSubmitted","task_id":)" + std::to_string(id) + R"(,"step":")" + step +
           R"(","value":)" + value + R"(,"parent_id":)" + parent + R"(,"origin":)" + origin + "}\n";
}

inline std::string succeeded(int id, const std::string& spawned) {
    return R"({"kind":"TaskCompleted","task_id":)" + std::to_string(id) +
           R"(,"outcome":{"kind":"Success","value":{"spawned_task_ids":)" + spawned + "}}}\n";
}

inline std::string failed(int id, const std::string& rest) {
    return R"({"kind":"TaskCompleted","task_id":)" + std::to_string(id) +
           R"(,"outcome":{"kind":"Failed","value":{"reason":{"kind":"Timeout"})" + rest + "}}}\n";
}

// The line of a completion, with a report.
inline std::string reported(std::string line, const std::string& report) {
    return line.insert(line.size() - 2, ",\"report\":" + report);
}

inline const std::string initial = R"("Initial")";
inline const std::string spawned = R"("Spawned")";

inline std::string retry(int replaces) {
    return R"({"Retry":{"replaces":)" + std::to_string(replaces) + "}}";
}

inline std::string finally_for(int task) {
    return R"({"Finally":{"finally_for":)" + std::to_string(task) + "}}";
}

// What a replay of all the text finds.
struct Replayed {
    statelog::Replay replay;
    statelog::Tail tail;
};

inline Replayed replayed(const std::string& text) {
    statelog::Replay replay("LOG");
    auto fed = replay.feed(text);
    INFO((fed ? "" : fed.error().message));
    REQUIRE(fed.has_value());
    auto tail = replay.finish();
    INFO((tail ? "" : tail.error().message));
    REQUIRE(tail.has_value());
    return {replay, *tail};
}

// The message with which it is refused.
inline std::string refusal(const std::string& text) {
    statelog::Replay replay("LOG");
    base::Result<void> fed = replay.feed(text);
    if (!fed) {
        CHECK(statelog::is_damage(fed.error()));
        return fed.error().message;
    }
    auto tail = replay.finish();
    REQUIRE(tail.has_error());
    CHECK(statelog::is_damage(tail.error()));
    return tail.error().message;
}
