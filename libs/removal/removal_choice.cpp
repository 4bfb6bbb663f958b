#include "removal/removal_choice.hpp"

#include "base/system_time.hpp"
#include "base/text.hpp"
#include "runs/record_counts.hpp"
#include "runs/removal.hpp"
#include "runs/run_lookup.hpp"
#include "runs/run_reference.hpp"
#include "terminal/width.hpp"

#include <algorithm>
#include <utility>

namespace removal {

std::vector<runs::FoundRun> runs_to_prune(std::vector<runs::FoundRun> found, const runs::PruneRule& rule) {
    for (runs::FoundRun& run : found)
        if (run.record.is_damaged) runs::count_tasks(run);
    auto states = runs::current_states(found);
    std::vector<runs::PruneCandidate> candidates;
    for (std::size_t i = 0; i < found.size(); ++i)
        candidates.push_back({states[i], is_resumable(found[i].record, states[i]), found[i].record.started,
                              runs::end_of(found[i]), rule.max_bytes ? runs::space_of(found[i].path) : 0});
    std::vector<runs::FoundRun> chosen;
    for (std::size_t index : runs::runs_to_prune(candidates, rule, base::system_time()))
        chosen.push_back(std::move(found[index]));
    return chosen;
}

std::string why_not_removed(const std::vector<runs::FoundRun>& found) {
    auto all = runs::find_runs();
    if (!all) return "";
    std::vector<std::string> ids;
    for (const runs::FoundRun& run : found)
        ids.push_back(run.record.id);
    std::vector<runs::RunRecord> records;
    for (runs::FoundRun& run : *all)
        records.push_back(std::move(run.record));
    auto link = runs::link_among(ids, records);
    if (!link) return "";
    return base::concat("the run ", link->id, " continues ", link->earlier, ", and ", link->later,
                        " continues it: remove the first one as well, with barnum rm ", link->earlier, " ",
                        link->id, ", or ", link->earlier, " could be resumed again; nothing was removed");
}

std::vector<std::string> earlier_runs_left(const std::vector<runs::FoundRun>& removed) {
    std::vector<std::string> lines;
    auto left = runs::find_runs();
    if (!left) return lines;
    auto is_there = [&](const std::string& id) {
        return std::ranges::any_of(*left, [&](const runs::FoundRun& run) { return run.record.id == id; });
    };
    for (const runs::FoundRun& run : removed) {
        const std::string& earlier = run.record.resumes;
        if (earlier.empty() || is_there(run.record.id) || !is_there(earlier)) continue;
        lines.push_back(terminal::printable(base::concat("run ", earlier,
                                                         ", which it had continued, can be resumed again, "
                                                         "and would do again what was done since; remove it "
                                                         "with: barnum rm ",
                                                         earlier)));
    }
    return lines;
}

}  // namespace removal
