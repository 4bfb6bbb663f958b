// The table of commands.
#include "cli/command_line.hpp"
#include "cli/completion.hpp"
#include "cli/man_command.hpp"
#include "config_command.hpp"
#include "inspect_command.hpp"
#include "io/standard_streams.hpp"
#include "run_command.hpp"
#include "run_options.hpp"

#include <boost/program_options/value_semantic.hpp>

#include <iostream>

namespace {

namespace po = boost::program_options;

constexpr const char* details = R"(Examples:
  barnum run --config workflow.jsonc --entrypoint-value '{"directory": "src"}'

A command that can't write what it prints ends with exit code 74.
)";

int version(const cli::Options& options) {
    if (options["json"].as<bool>())
        std::cout << R"({"version":")" BARNUM_VERSION R"("})"
                  << "\n";
    else
        std::cout << "barnum " BARNUM_VERSION "\n";
    return cli::ExitCode::ok;
}

cli::Command version_command() {
    po::options_description options("Options");
    options.add_options()("json", po::bool_switch(), "as JSON");
    return {"version", "Prints the version.", "", std::move(options), version};
}

constexpr const char* documents = "The files of docs/ are installed in PREFIX/share/doc/barnum/docs.";

constexpr const char* looked_for =
    R"(pools of the root (--pool), tasks of a log (`inspect LOG --task`) and, within the text of --initial-state, the steps
of the config: `run --config FILE --initial-state '[{"kind":"`)";

}  // namespace

int main(int argc, char** argv) {
    io::open_missing_streams();
    cli::Program program{"barnum",
                         "Barnum runs workflows whose steps are shell commands and agents' work.",
                         details,
                         barnum::global_option_table(),
                         {barnum::run_command(), barnum::inspect_command(), barnum::config_command(),
                          version_command(), cli::completion_command("barnum", looked_for)},
                         barnum::global_option_values()};
    program.commands.push_back(cli::man_command(program, {BARNUM_VERSION,
                                                          {{5, "barnum-config", "docs/config.md"},
                                                           {1, "barnum"},
                                                           {1, "troupe"},
                                                           {7, "troupe-protocol", "docs/troupe-protocol.md"}},
                                                          documents}));
    return cli::run(program, argc, argv);
}
