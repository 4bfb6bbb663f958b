// The first lines of the state log of a new run: the header and the initial tasks.
#pragma once

#include "base/spliced_text.hpp"
#include "config/workflow_config.hpp"
#include "statelog/record.hpp"
#include "workflow/entry.hpp"

#include <optional>
#include <string>
#include <vector>

namespace statelog {

// `tasks` are TaskSubmitted entries; `reuses` the run whose results the new one reuses; `version` that of the
// program. The text is in pieces, so that large values are not copied.
std::vector<base::SplicedText> initial_records(const config::WorkflowConfig& config,
                                               const std::string& run_id, const workflow::Group& tasks,
                                               std::optional<Reuses> reuses, std::string version);

}  // namespace statelog
