// The text of a state log for tests, a line at a time, with times.
#pragma once

#include <catch2/catch.hpp>

#include <string>

namespace serve_log {

inline const std::string head =
    R"({"kind":"Config","config":{"entrypoint":"A","steps":[)"
    R"({"name":"A","action":{"kind":"Command","script":"a"},"next":["B","Ask"],"finally":{"kind":"Command","script":"f"},)"
    R"("options":{"max_retries":2}},)"
    R"({"name":"B","action":{"kind":"Pool","instructions":"b"},"next":[]},)"
    R"({"name":"Ask","action":{"kind":"Human","instructions":"Good?","expires":3600},"next":["B"]}]},)"
    R"("directory":"/","run_id":"r","initial_tasks":1,"time":1000})"
    "\n";

// `more`: further members, with a comma before each.
inline std::string submitted(int id, const std::string& step, const std::string& origin,
                             const std::string& value, int time, const std::string& more = "") {
    return R"({"kind":"TaskSubmitted","task_id":)" + std::to_string(id) + R"(,"step":")" + step +
           R"(","value":)" + value + more + R"(,"origin":)" + origin + R"(,"time":)" + std::to_string(time) +
           "}\n";
}

inline std::string completed(int id, const std::string& outcome, int time, const std::string& more = "") {
    return R"({"kind":"TaskCompleted","task_id":)" + std::to_string(id) + R"(,"outcome":)" + outcome + more +
           R"(,"time":)" + std::to_string(time) + "}\n";
}

inline std::string success(const std::string& children) {
    return R"({"kind":"Success","value":{"spawned_task_ids":)" + children + "}}";
}

// `rest` is "" or `,"retry_task_id":3`.
inline std::string failure(const std::string& reason, const std::string& rest = "") {
    return R"({"kind":"Failed","value":{"reason":)" + reason + rest + "}}";
}

inline const std::string initial = R"("Initial")";
inline const std::string spawned = R"("Spawned")";
inline const std::string report =
    R"(,"report":{"kind":"claude","model":"opus","input_tokens":100,"cached_tokens":40,"output_tokens":7,"usd":0.5})";

}  // namespace serve_log
