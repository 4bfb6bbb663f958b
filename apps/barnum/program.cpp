#include "program.hpp"

#include "cli/completion.hpp"
#include "cli/man_command.hpp"
#include "cli/version_command.hpp"
#include "commands.hpp"
#include "commands/run/run_option_table.hpp"
#include "version/program_version.hpp"

namespace barnum {

namespace {

constexpr const char* program_details = R"(Examples:
  barnum run --config workflow.jsonc --entrypoint-value '{"directory": "src"}'

A command whose output cannot be written ends with exit code 74.
)";

constexpr const char* where_documents_are =
    "The files of docs/ are installed in PREFIX/share/doc/barnum/docs.";

constexpr const char* looked_for =
    R"(the pools in the root (--pool), the tasks in a state log (`inspect LOG --task`), and the steps of the config in the text
of --initial-state: `run --config FILE --initial-state '[{"kind":"`)";

}  // namespace

std::unique_ptr<cli::Program> program() {
    auto made = std::make_unique<cli::Program>();
    made->name = "barnum";
    made->summary = "Barnum runs workflows, whose steps are shell commands or are done by agents.";
    made->details = program_details;
    made->global_options = cli::options_of(global_option_table());
    made->commands = {run_command(),
                      ps_command(),
                      attach_command(),
                      wait_command(),
                      pause_command(),
                      continue_command(),
                      scale_command(),
                      todo_command(),
                      answer_command(),
                      cancel_command(),
                      resume_command(),
                      retry_command(),
                      logs_command(),
                      inspect_command(),
                      report_command(),
                      replay_command(),
                      why_command(),
                      rm_command(),
                      prune_command(),
                      serve_command(),
                      mcp_command(),
                      config_command(),
                      cli::version_command("barnum", version::program_version),
                      cli::completion_command("barnum", looked_for)};
    made->commands.push_back(cli::man_command(*made, {version::program_version,
                                                      {{5, "barnum-config", "docs/config.md"},
                                                       {1, "barnum"},
                                                       {1, "troupe"},
                                                       {7, "troupe-protocol", "docs/troupe-protocol.md"}},
                                                      where_documents_are}));
    return made;
}

}  // namespace barnum
