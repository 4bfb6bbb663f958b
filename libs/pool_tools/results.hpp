// The results of the tools of `troupe mcp`, as JSON that is short enough for every client. Pure.
#pragma once

#include "pool_protocol/answer.hpp"
#include "pool_protocol/status.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pool_tools {

// A task that an agent has.
struct GivenTask {
    std::string id;
    std::string content;       // JSON
    std::string content_file;  // where it is as well
    std::string schema;        // of the response; empty: it may be anything
    std::string schema_file;
    std::optional<pool_protocol::UnixTime> deadline;
};

// Too long contents are left out, with their beginning and the file in which they are. `others`: the ids of
// tasks that the client has perhaps taken without knowing it.
std::string to_json(const GivenTask& task, pool_protocol::UnixTime now,
                    const std::vector<std::string>& others = {});
// There is no task. `others`: as above.
std::string no_task_result(const std::vector<std::string>& others);

// {"kind":…,"id":…,"message":…}; an empty id or message is left out.
std::string simple_result(std::string_view kind, std::string_view id, std::string_view message = {});

struct AnswerText {
    std::string json;
    bool is_cut;
};
// The answer for a submitter. Of a long response there is only the beginning, and `file`, the path of the
// whole answer.
AnswerText answer_result(std::string_view id, const pool_protocol::Answer& answer, std::string_view file);

// Who works at what, and what waits; `held` are the ids of the caller's own tasks.
std::string status_result(const pool_protocol::Status& status, const std::vector<std::string>& held);

}  // namespace pool_tools
