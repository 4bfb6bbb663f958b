#include "commands/run/bound_options.hpp"

#include "base/limits.hpp"
#include "cli/option_table.hpp"

#include <chrono>
#include <string>

namespace barnum {

namespace {

std::uint32_t count_of(const std::string& text) {
    std::size_t count = 0;
    cli::convert(text, count);
    return static_cast<std::uint32_t>(count);
}

}  // namespace

std::vector<RunOption> bound_options() {
    return {
        {{"max-tasks", cli::whole_number("N", 1, base::most_counted),
          "how many tasks the run may have, without retries and finallys, also before a resume; those past "
          "it "
          "are dropped (default: the config's)"},
         [](launch::RunOptions& run, const std::string& text) { run.bounds.max_tasks = count_of(text); },
         OnResume::kept},
        {{"max-depth", cli::whole_number("N", 1, base::most_counted),
          "how deep tasks may descend from a first task, which has depth 1; those past it are dropped "
          "(default: the config's)"},
         [](launch::RunOptions& run, const std::string& text) { run.bounds.max_depth = count_of(text); },
         OnResume::kept},
        {{"max-run-seconds", cli::seconds("S", cli::Zero::refused),
          "for how many seconds the run starts tasks, without pauses; then the others are dropped, and the "
          "run ends after its finallys. In a resumed run the time begins anew (default: the config's)"},
         [](launch::RunOptions& run, const std::string& text) {
             double seconds = 0;
             cli::convert(text, seconds);
             run.bounds.max_run_seconds = std::chrono::duration<double>(seconds);
         },
         OnResume::kept},
    };
}

}  // namespace barnum
