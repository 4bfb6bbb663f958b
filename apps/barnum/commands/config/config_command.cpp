#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "commands/config/config_graph.hpp"
#include "config/description.hpp"
#include "config/load.hpp"
#include "config/schema_document.hpp"
#include "config/warnings.hpp"
#include "json/json.hpp"
#include "problem_output.hpp"
#include "terminal/printable_lines.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace barnum {

namespace {

constexpr const char* group_details = R"(Examples:
  barnum config validate workflow.jsonc
  barnum config graph workflow.jsonc --format svg >workflow.svg
  barnum config schema >workflow.schema.json

docs/config.md explains the config.
)";

constexpr const char* validate_details =
    R"(Prints each step with the steps that may follow it. Mistakes are printed on stderr, each with its place, up to a
hundred of them. So are warnings: steps that cannot be reached from the entrypoint, cycles without an exit, steps
whose schema no value matches, Pool steps without instructions or without a timeout, agents that may do everything,
labels of a Pool step that no agent of the config has.

Exit codes: 0 the config is valid, with or without warnings; 2 it is not, or the command line is invalid.
)";

constexpr const char* docs_details =
    R"(Prints markdown: the graph (Mermaid), and each step with its instructions and transitions.
Control characters in a text are replaced by '?'.

Exit codes: 0 the document was printed; 2 the config or the command line is invalid.
)";

constexpr const char* graph_details = R"(Examples:
  barnum config graph workflow.jsonc | dot -Tpng >workflow.png
  barnum config graph workflow.jsonc --format svg >workflow.svg
  barnum config graph workflow.jsonc --format mermaid

Boxes are Pool steps, diamonds are Command steps, ellipses are done by a person. Terminal steps have a double or thick
border. Hooks are listed below the name. A dashed line leads to each step whose kind is named in the script of a
`finally`. A `gather` is a node of its own, with dashed lines from the steps that it gathers and to the step that gets
the results.

Exit codes: 0 the graph was printed; 1 Graphviz is not installed or has failed; 2 the config or the command line is
invalid.
)";

constexpr const char* schema_details =
    R"(Prints the JSON Schema (draft-07) of a config, with a description of every field. Editors use it to complete and to
check a config that names it:
  barnum config schema >workflow.schema.json
  { "$schema": "./workflow.schema.json", "steps": [ … ] }
)";

struct ConfigArguments {
    std::string config;
    bool json = false;
    GraphFormat format = GraphFormat::dot;
};

cli::TableRow<ConfigArguments> config_row() {
    return {
        {.name = "config",
         .value = cli::file("FILE|JSON", "the path of a config, or its text"),
         .summary =
             "the workflow, as JSONC: a file (for example /dev/stdin), or the text itself; the word --config "
             "may be left out",
         .is_positional = true,
         .is_required = true},
        cli::into(&ConfigArguments::config)};
}

cli::TableRow<ConfigArguments> json_row() {
    return {{"json", cli::none(),
             "print a JSON object: whether the config is valid, its steps, and all mistakes and warnings"},
            cli::into(&ConfigArguments::json)};
}

GraphFormat graph_format(const std::string& name) {
    if (name == "mermaid") return GraphFormat::mermaid;
    return name == "svg" ? GraphFormat::svg : GraphFormat::dot;
}

cli::TableRow<ConfigArguments> format_row() {
    return {
        {"format",
         cli::choice("FORMAT",
                     {{"dot", "for Graphviz"}, {"mermaid"}, {"svg", "needs Graphviz' program `dot`"}})
             .with_default("dot"),
         "the format of the graph"},
        [](ConfigArguments& arguments, const std::string& name) { arguments.format = graph_format(name); }};
}

// The result has no config if the file has mistakes, which are printed.
config::LoadResult load(const ConfigArguments& arguments) {
    auto loaded = config::load(arguments.config);
    print_problems(loaded.problems);
    if (!loaded.config)
        std::cerr << "barnum: the config has " << base::counted(loaded.problems.count(), "error") << "\n";
    return loaded;
}

std::string names_json(const config::WorkflowConfig& config, const std::vector<config::StepId>& steps) {
    std::string out = "[";
    for (config::StepId step : steps)
        out += base::concat(out.size() > 1 ? "," : "", json::quote(config.step(step).name));
    return out + "]";
}

std::string steps_json(const config::WorkflowConfig& config) {
    std::string out = "[";
    for (const config::Step& step : config.steps)
        out += base::concat(out.size() > 1 ? ",\n " : "", "{\"name\":", json::quote(step.name),
                            ",\"next\":", names_json(config, step.next), "}");
    return out + "]";
}

int validate_as_json(const ConfigArguments& arguments) {
    auto loaded = config::load(arguments.config);
    const bool is_valid = loaded.config.has_value();
    config::Problems problems =
        is_valid ? config::warnings(*loaded.config, loaded.text, loaded.name) : std::move(loaded.problems);
    std::cout << "{\"valid\":" << (is_valid ? "true" : "false")
              << ",\n\"problems\":" << problems_json(problems);
    if (problems.omitted > 0) std::cout << ",\"omitted\":" << problems.omitted;
    if (is_valid) std::cout << ",\n\"steps\":" << steps_json(*loaded.config);
    std::cout << "}\n";
    return is_valid ? base::ExitCode::ok : base::ExitCode::usage;
}

int validate(const ConfigArguments& arguments) {
    if (arguments.json) return validate_as_json(arguments);
    auto loaded = load(arguments);
    if (!loaded.config) return base::ExitCode::usage;
    print_problems(config::warnings(*loaded.config, loaded.text, loaded.name));
    std::cout << "Config is valid.\n"
              << base::counted(loaded.config->steps.size(), "step") << ":\n"
              << config::transitions(*loaded.config);
    return base::ExitCode::ok;
}

std::string title_of(const config::LoadResult& loaded) {
    if (loaded.name == config::inline_name) return "Workflow";
    return "Workflow " + std::filesystem::path(loaded.name).filename().string();
}

int docs(const ConfigArguments& arguments) {
    auto loaded = load(arguments);
    if (!loaded.config) return base::ExitCode::usage;
    std::cout << terminal::printable_lines(config::describe(*loaded.config, title_of(loaded)));
    return base::ExitCode::ok;
}

int graph(const ConfigArguments& arguments) {
    auto loaded = load(arguments);
    if (!loaded.config) return base::ExitCode::usage;
    return print_graph(*loaded.config, arguments.format);
}

int schema(const cli::Options&) {
    std::cout << config::schema_document();
    return base::ExitCode::ok;
}

cli::Command command(const char* name, const char* summary, const char* details,
                     const cli::OptionTable<ConfigArguments>& table, int (*run)(const ConfigArguments&)) {
    return {name, summary, details, cli::options_of(table),
            [=](const cli::Options& given) { return run(cli::read(table, given)); }};
}

}  // namespace

cli::Command config_command() {
    cli::Command made{"config", "Check and print configs.", group_details};
    made.commands.push_back(command("validate", "Check a config, and print its steps and transitions.",
                                    validate_details, {config_row(), json_row()}, validate));
    made.commands.push_back(
        command("docs", "Print a config as a document.", docs_details, {config_row()}, docs));
    made.commands.push_back(
        command("graph", "Print a config as a graph.", graph_details, {config_row(), format_row()}, graph));
    made.commands.push_back({"schema", "Print the JSON Schema of configs.", schema_details, {}, schema});
    return made;
}

}  // namespace barnum
