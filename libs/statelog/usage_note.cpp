#include "statelog/usage_note.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "pool_protocol/agent_activity.hpp"
#include "statelog/line_checksum.hpp"

#include <optional>

namespace statelog {

namespace {

constexpr std::string_view usage_beginning = R"({"kind":"UsageReported",)";

}  // namespace

void append_usage_note(std::string& out, const UsageNote& note, Time time) {
    const std::size_t begin = out.size();
    out += base::concat(usage_beginning, "\"task_id\":", note.task.value,
                        ",\"usage\":", pool_protocol::to_json(note.used),
                        ",\"time\":", time.time_since_epoch().count());
    end_line(out, begin);
}

bool is_usage_note(std::string_view line) {
    return line.starts_with(usage_beginning);
}

base::Result<UsageNote> read_usage_note(std::string_view line) {
    auto object = json::checked(line);
    if (!object) return base::invalid(base::concat("is not JSON: ", object.error().message));
    auto task = object->find("task_id");
    auto number = task && task->is(json::Kind::number) ? task->integer() : std::nullopt;
    if (!number || *number < 0) return base::invalid("has no valid \"task_id\"");
    auto usage = object->find("usage");
    auto used = usage ? pool_protocol::parse_activity(*usage) : std::nullopt;
    if (!used) return base::invalid("has no valid \"usage\"");
    auto written = object->find("time");
    auto time = written && written->is(json::Kind::number) ? written->integer() : std::nullopt;
    return UsageNote{workflow::TaskId{static_cast<std::uint64_t>(*number)}, std::move(*used),
                     Time(std::chrono::milliseconds(time.value_or(0)))};
}

}  // namespace statelog
