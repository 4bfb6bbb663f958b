// The runs of this user as `barnum ps` lists them.
#pragma once

#include "base/error.hpp"
#include "runs/run_directories.hpp"
#include "runs/run_state.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace listings {

struct ListedRun {
    runs::FoundRun run;
    runs::RunState state;
    std::optional<std::uint64_t> bytes =
        std::nullopt;  // what its directory takes on the disk, if that is wanted
};

// The runs that run, are lost or damaged, or wait for people; or all of them. Blocking.
base::Result<std::vector<ListedRun>> find_listed_runs(bool all);

// A line of headings, and one for each run. Only printable characters.
std::vector<std::string> run_table(const std::vector<ListedRun>& list);

// What can be done about each run whose end nobody has told.
std::vector<std::string> texts_about_unended(const std::vector<ListedRun>& list);

// A JSON array with all that is known of each run; ends with a newline.
std::string runs_json(const std::vector<ListedRun>& list);

}  // namespace listings
