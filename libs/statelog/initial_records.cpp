#include "statelog/initial_records.hpp"

#include <utility>
#include <variant>

namespace statelog {

namespace {

constexpr std::size_t large_value = std::size_t{1} << 20;  // bytes

}  // namespace

std::vector<base::SplicedText> initial_records(const config::WorkflowConfig& config,
                                               const std::string& run_id, const workflow::Group& tasks,
                                               std::optional<Reuses> reuses, std::string version) {
    std::vector<base::SplicedText> pieces;
    std::string text;
    Time time = now();
    Header header{config.resolved, config.directory, run_id, tasks.size(), true, std::move(reuses)};
    header.version = std::move(version);
    append_header(text, header, time);
    for (const workflow::Entry& entry : tasks) {
        const auto& task = std::get<workflow::TaskSubmitted>(entry);
        if (task.value->size() < large_value)
            append_record(text, config, entry, time);
        else
            pieces.push_back(long_record(std::exchange(text, {}), config, task, time));
    }
    pieces.emplace_back(std::move(text));
    return pieces;
}

}  // namespace statelog
