#include "run_argument.hpp"

#include "base/text.hpp"
#include "runs/run_directories.hpp"
#include "runs/run_lookup.hpp"

#include <cstddef>

namespace barnum {

cli::Completion run_candidates(const cli::Line& line) {
    cli::Completion completion{cli::Completion::Kind::files};
    auto found = runs::find_runs();
    if (!found || line.word.find('/') != std::string::npos) return completion;
    auto states = runs::current_states(*found);
    for (std::size_t i = 0; i < found->size(); ++i) {
        const runs::RunRecord& record = (*found)[i].record;
        if (record.id.starts_with(line.word))
            completion.candidates.push_back(
                {record.id,
                 base::concat(record.name, record.name.empty() ? "" : ", ", state_name(states[i]))});
    }
    if (!completion.candidates.empty()) completion.kind = cli::Completion::Kind::words;
    return completion;
}

cli::Option run_argument(const std::string& what) {
    return {
        .name = "run",
        .value = cli::text("RUN", "the id of a run, or last").completed_by(run_candidates),
        .summary = base::concat(what,
                                ": its id or the beginning of it, its name, last, @, its directory, or the "
                                "path of its state log; the word --run may be left out"),
        .is_positional = true,
        .is_required = true};
}

cli::Option run_list_argument(const std::string& what) {
    cli::Option option = run_argument(what);
    option.value = option.value.as_list();
    return option;
}

}  // namespace barnum
