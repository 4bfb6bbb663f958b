#include "runs/run_json.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "runs/run_directories.hpp"

#include <filesystem>

namespace runs {

std::string workflow_name(const RunRecord& record) {
    return std::filesystem::path(record.config).filename().string();
}

std::string run_json(const FoundRun& run, RunState state, std::optional<std::uint64_t> bytes) {
    std::string text = to_json(run.record);
    text.resize(text.rfind('}'));
    std::string workflow = workflow_name(run.record);
    const bool is_stopped = is_living(state) && runs::is_stopped(run.record.process);
    return base::concat(
        text, ",\"path\":", json::quote(run.path),
        ",\"workflow\":", workflow.empty() ? "null" : json::quote(workflow), ",\"state\":\"",
        state_name(state), "\",\"resumable\":", is_resumable(run.record, state) ? "true" : "false",
        is_stopped ? ",\"stopped\":true" : "", bytes ? base::concat(",\"bytes\":", *bytes) : "", "}");
}

}  // namespace runs
