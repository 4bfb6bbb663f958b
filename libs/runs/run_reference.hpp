// How a RUN on a command line names a run (docs/runs.md, "Naming a run"). Pure.
#pragma once

#include "base/error.hpp"
#include "runs/run_record.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace runs {

// The shortest prefix of an id that names a run.
inline constexpr std::size_t shortest_prefix = 4;

// 1 to 64 letters, digits, '_', '-' and '.', beginning with a letter or a digit; not "last".
bool is_name(std::string_view text);
// What is_name() demands, for a message, after the name of what must be so.
inline constexpr std::string_view name_rule =
    "must be 1 to 64 letters, digits, '_', '-' and '.', begin with a letter or a digit, and not be `last`";

// The index of the run: by its id, a unique prefix of its id, a name (the run of that name that was started
// last), "last" (of all) or "@" (the last one that was started in `directory`). Paths are not looked for.
// errc::no_such_file_or_directory if there is none; errc::invalid_argument if several match, also if one has
// the name and the id of another begins with it.
base::Result<std::size_t> find_run(std::string_view reference, const std::vector<RunRecord>& records,
                                   std::string_view directory);

// The index of the run that continues the run with this id, of the one that continues that, and so on;
// nothing if none does. Of several, the one that was started last.
std::optional<std::size_t> last_in_chain(const std::vector<RunRecord>& records, std::string id);

// A run that continues `earlier` and is continued by `later`. Without it, nobody knows that `earlier` was
// continued.
struct ChainLink {
    std::string id;
    std::string earlier;
    std::string later;
};
// One of the runs with these ids of which both neighbours are among the records and not among the ids;
// nothing if there is none.
std::optional<ChainLink> link_among(const std::vector<std::string>& ids,
                                    const std::vector<RunRecord>& records);

}  // namespace runs
