// The tools of `barnum mcp` that concern configs.
#include "base/text.hpp"
#include "run_tools/offer.hpp"

namespace run_tools {

using base::concat;
using mcp::Tool;

namespace {

constexpr mcp::Hints reading_files{.is_read_only = true, .is_idempotent = true};

constexpr std::string_view config_property =
    R"("config":{"type":"string","description":"the config: its text as JSONC, which begins with {, or the path of its file; relative to the directory in which the server was started"})";
constexpr std::string_view start_properties =
    R"(,"entrypoint_value":{"description":"the value of the first task: any JSON; {} if it is left out; not together with initial_state"},)"
    R"("initial_state":{"type":"array","items":{"type":"object"},"description":"the first tasks, each with kind and value, instead of one task of the entrypoint"},)"
    R"("agents":{"type":"array","items":{"type":"string"},"description":"agents of the run besides those of the config: claude, codex or gemini, with a number of them as in claude=3"},)"
    R"("pool":{"type":"string","description":"the pool whose agents do the Pool steps"},)"
    R"("reuse":{"type":"string","description":"a run whose results are taken over for equal tasks"})";
constexpr std::string_view mistakes =
    R"(,"mistakes":{"type":"array","items":{"type":"object","properties":{"file":{"type":"string"},)"
    R"("line":{"type":"integer"},"column":{"type":"integer"},"message":{"type":"string"},)"
    R"("excerpt":{"type":"string"}}}},"left_out":{"type":"integer"})";

std::string schema_of(std::string_view properties) {
    return concat(R"({"type":"object","properties":{)", properties, R"(},"required":["config"]})");
}

Tool validate() {
    Tool tool;
    tool.name = "validate_workflow";
    tool.title = "Check a config";
    tool.description =
        "Checks a config. Invalid lists all mistakes with their lines and columns; Valid lists warnings, and "
        "for each step the steps that may follow it. The action of a step is a Command (a shell script), "
        "Pool "
        "(an agent) or Human. A Command gets its task, {\"kind\",\"value\"}, as JSON on stdin, and prints a "
        "JSON "
        "array of the tasks that follow, each with `kind`, the name of a step of its `next`, and `value`; [] "
        "if "
        "none follows. The resource barnum://config-reference explains all fields, and those below "
        "barnum://examples/ are whole configs.";
    tool.input_schema = schema_of(config_property);
    tool.output_schema = mcp_result_schema(
        R"("Valid","Invalid")",
        concat(mistakes,
               R"(,"warnings":{"type":"array","items":{"type":"object"}},"transitions":{"type":"string"})"));
    tool.hints = reading_files;
    return tool;
}

Tool dry_run() {
    Tool tool;
    tool.name = "dry_run_workflow";
    tool.title = "Say what a run would do";
    tool.description =
        "Checks a config and the values of the first tasks, and says what would be started. Starts and "
        "creates nothing.";
    tool.input_schema = schema_of(concat(config_property, start_properties));
    tool.output_schema = mcp_result_schema(
        R"("Plan","Invalid")", concat(mistakes, R"(,"plan":{"type":"string"},"warning":{"type":"string"})"));
    tool.hints = reading_files;
    return tool;
}

Tool draw() {
    Tool tool;
    tool.name = "draw_workflow";
    tool.title = "Draw a workflow";
    tool.description =
        "Draws the steps and transitions of a config: as a flowchart for Mermaid, and as an SVG, which is a "
        "resource, if Graphviz is installed.";
    tool.input_schema = schema_of(config_property);
    tool.output_schema = mcp_result_schema(
        R"("Drawing","Invalid")",
        concat(mistakes,
               R"(,"mermaid":{"type":"string"},"mermaid_uri":{"type":"string"},"svg_uri":{"type":"string"},)"
               R"("svg_problem":{"type":"string"})"));
    tool.hints = reading_files;
    return tool;
}

Tool start() {
    Tool tool;
    tool.name = "start_run";
    tool.title = "Start a run";
    tool.description =
        "Starts a run of the config in a file, in the background: it goes on when this session ends. "
        "Executes the commands and agents of the config, which may change files and cost money. Returns the "
        "run's id; then call wait_run.";
    tool.input_schema = schema_of(concat(
        R"("config":{"type":"string","description":"the path of the config's file; relative to the directory in which the server was started"})",
        start_properties,
        R"(,"name":{"type":"string","description":"a name for the run: 1 to 64 letters, digits, _, - and ., beginning with a letter or a digit"},)"
        R"("jobs":{"type":"integer","minimum":1,"maximum":1000,"description":"how many commands run at the same time"},)"
        R"("max_tasks":{"type":"integer","minimum":1,"description":"how many tasks the run may have"},)"
        R"("budget_usd":{"type":"number","description":"how many dollars its agents may cost"})"));
    tool.output_schema =
        mcp_result_schema(R"("Started","Invalid")",
                          concat(mistakes, R"(,"run":{"type":"string"},"warning":{"type":"string"})"));
    tool.hints = {.is_destructive = true, .is_open_world = true};
    return tool;
}

}  // namespace

std::vector<Tool> mcp_workflow_tools() {
    return {validate(), dry_run(), draw(), start()};
}

}  // namespace run_tools
