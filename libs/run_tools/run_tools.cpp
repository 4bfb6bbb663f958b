// The tools of `barnum mcp` that concern runs.
#include "base/text.hpp"
#include "run_tools/offer.hpp"

namespace run_tools {

using base::concat;
using mcp::Hints;
using mcp::Tool;

namespace {

constexpr Hints reading{.is_read_only = true, .is_idempotent = true};

constexpr std::string_view run_property =
    R"("run":{"type":"string","description":"the run: its id or the beginning of it, its name, or last"})";
constexpr std::string_view task_property =
    R"("task":{"type":"integer","minimum":0,"description":"the number of the task, or of one of its attempts"})";
// What run_members() writes.
std::string run_result() {
    return concat(
        R"(,"run":{"type":"string"},"name":{"type":"string"},"config":{"type":"string"},"directory":{"type":"string"},)"
        R"("state":{"type":"string","enum":)",
        mcp_enum(mcp_run_states),
        R"(},"started":{"type":"string"},"ended":{"type":"string"},"exit_code":{"type":"integer"},"result":{"type":"string"},)"
        R"("done":{"type":"integer"},"left":{"type":"integer"},"dropped":{"type":"integer"},)"
        R"("waiting_for_people":{"type":"integer"},"usd":{"type":"number"},"resumes":{"type":"string"},)"
        R"("retries":{"type":"string"})");
}
// What the run waits for.
constexpr std::string_view waits_for =
    R"(,"tasks_for_people":{"type":"array","items":{"type":"integer"}},"agents_missing":{"type":"string"})";
constexpr std::string_view page =
    R"(,"limit":{"type":"integer","minimum":1,"maximum":100,"description":"how many at most; 20 if it is left out"},)"
    R"("offset":{"type":"integer","minimum":0,"description":"how many are skipped; next_offset of the result before"})";
constexpr std::string_view message = R"(,"run":{"type":"string"},"message":{"type":"string"})";

std::string input(std::string_view more = {}) {
    return concat(R"({"type":"object","properties":{)", run_property, more, R"(},"required":["run"]})");
}

Tool tool_of(std::string name, std::string title, std::string description, Hints hints) {
    Tool tool;
    tool.name = std::move(name);
    tool.title = std::move(title);
    tool.description = std::move(description);
    tool.hints = hints;
    return tool;
}

Tool list_runs() {
    Tool tool =
        tool_of("list_runs", "List runs",
                "Lists the runs of this user, the newest first, with their states and counts: those that "
                "are running, and those that have ended.",
                reading);
    tool.input_schema = concat(
        R"({"type":"object","properties":{"state":{"type":"string","enum":)", mcp_enum(mcp_run_states),
        R"(,"description":"only the runs in this state; waiting: ended, and only tasks for people are left; lost: killed; damaged: its record cannot be read"},)"
        R"("limit":{"type":"integer","minimum":1,"maximum":100,"description":"how many at most; 20 if it is left out"}}})");
    tool.output_schema = mcp_result_schema(
        R"("Runs")", concat(R"(,"runs":{"type":"array","items":{"type":"object","properties":{)",
                            run_result().substr(1), R"(}}},"left_out":{"type":"integer"})"));
    return tool;
}

Tool run_status() {
    Tool tool =
        tool_of("run_status", "The status of a run",
                "Says how far a run is: its state, the counts of each step, what its agents have cost, "
                "the numbers of the tasks that wait for a person, and whether tasks wait for agents that "
                "are not there.",
                reading);
    tool.input_schema = input();
    tool.output_schema = mcp_result_schema(
        R"("Run")",
        concat(
            run_result(), waits_for,
            R"(,"steps":{"type":"array","items":{"type":"object"}},"usage":{"type":"array","items":{"type":"object"}},)"
            R"("problem":{"type":"string"},"details_uri":{"type":"string"})"));
    return tool;
}

Tool wait_run() {
    Tool tool =
        tool_of("wait_run", "Wait for the end of a run",
                "Waits until a run has ended. Ended says how; Asking: only the tasks for people are left "
                "whose numbers it lists; Wait: it is not over yet, call wait_run again, unless "
                "agents_missing says that nobody does its tasks.",
                reading);
    tool.input_schema = input(
        R"(,"wait_seconds":{"type":"integer","minimum":1,"maximum":45,"description":"how long to wait at most; 30 if it is left out"})");
    tool.output_schema = mcp_result_schema(R"("Ended","Asking","Wait")", concat(run_result(), waits_for));
    tool.waits = true;
    return tool;
}

Tool cancel_run() {
    Tool tool =
        tool_of("cancel_run", "End a run",
                "Ends a run: the commands that are running get SIGTERM, and the run ends when they have "
                "ended. With `now`, or if it is called again, they are killed. What is done stays done; the "
                "user can resume the run with `barnum resume`. Ending means that it has not ended yet: call "
                "wait_run.",
                {.is_destructive = true});
    tool.input_schema =
        input(R"(,"now":{"type":"boolean","description":"kill the commands that are running"})");
    tool.output_schema = mcp_result_schema(R"("Ended","Ending")", message);
    return tool;
}

Tool pause_run() {
    Tool tool = tool_of("pause_run", "Pause a run",
                        "Pauses a run: it starts nothing new until continue_run. What is running goes on.",
                        {.is_idempotent = true});
    tool.input_schema = input();
    tool.output_schema = mcp_result_schema(R"("Done")", message);
    return tool;
}

Tool continue_run() {
    Tool tool = tool_of("continue_run", "Continue a paused run", "Continues a run that was paused.",
                        {.is_idempotent = true, .is_open_world = true});
    tool.input_schema = input();
    tool.output_schema = mcp_result_schema(R"("Done")", message);
    return tool;
}

Tool retry_run() {
    Tool tool =
        tool_of("retry_run", "Try dropped tasks again",
                "Starts a new run in the background, which tries the dropped tasks of a run again that "
                "has ended: all, or either those of `tasks` or those of `step`. Executes their commands "
                "and agents.",
                {.is_destructive = true, .is_open_world = true});
    tool.input_schema = input(
        R"(,"tasks":{"type":"array","items":{"type":"integer","minimum":0},"description":"only these dropped tasks"},)"
        R"("step":{"type":"string","description":"only the dropped tasks of this step"})");
    tool.output_schema =
        mcp_result_schema(R"("Started")", R"(,"run":{"type":"string"},"retries":{"type":"string"})");
    return tool;
}

Tool read_task() {
    Tool tool =
        tool_of("read_task", "Read a task",
                "Reads a task: its value, and each attempt with its times, failure and response; of a "
                "task that waits for a person also the instructions, the steps that may follow with their "
                "schemas, and when it expires. What is long is cut, and then called value_excerpt or "
                "response_excerpt; the resource task_uri has all of it.",
                reading);
    tool.input_schema = concat(R"({"type":"object","properties":{)", run_property, ",", task_property,
                               R"(},"required":["run","task"]})");
    tool.output_schema = mcp_result_schema(
        R"("Task")", R"(,"run":{"type":"string"},"task":{"type":"object"},"task_uri":{"type":"string"})");
    return tool;
}

Tool list_tasks() {
    Tool tool = tool_of("list_tasks", "List tasks",
                        "Lists the tasks of a run in the order of their numbers, each with its step, its "
                        "state and the beginning of its value. human: it waits for a person.",
                        reading);
    tool.input_schema =
        input(concat(R"(,"step":{"type":"string","description":"only the tasks of this step"},)",
                     R"("state":{"type":"string","enum":)", mcp_enum(mcp_task_states),
                     R"(,"description":"only the tasks in this state"})", page));
    tool.output_schema = mcp_result_schema(
        R"("Tasks")",
        concat(
            R"(,"run":{"type":"string"},"next_offset":{"type":"integer"},"tasks":{"type":"array","items":{"type":"object","properties":{)",
            R"("id":{"type":"integer"},"step":{"type":"string"},"finally":{"type":"boolean"},"state":{"type":"string","enum":)",
            mcp_enum(mcp_task_states), R"(},"value":{},"value_excerpt":{"type":"string"}}}})"));
    return tool;
}

Tool read_logs() {
    Tool tool =
        tool_of("read_logs", "Read what commands have written",
                "Reads the last lines that the commands and hooks of a run have written to stdout and "
                "stderr: for each stream of an attempt together.",
                reading);
    tool.input_schema = input(concat(
        ",", task_property, R"(,"step":{"type":"string","description":"only of the tasks of this step"},)",
        R"("stream":{"type":"string","enum":)", mcp_enum(mcp_streams),
        R"(,"description":"only this stream"},)",
        R"("lines":{"type":"integer","minimum":1,"maximum":1000,"description":"how many lines at most; 100 if it is left out"})"));
    tool.output_schema = mcp_result_schema(
        R"("Logs")",
        R"(,"outputs":{"type":"array","items":{"type":"object","properties":{"task":{"type":"integer"},)"
        R"("step":{"type":"string"},"attempt":{"type":"integer"},"phase":{"type":"string"},"stream":{"type":"string"},)"
        R"("since":{"type":"string"},"lines":{"type":"array","items":{"type":"string"}}}}},"earlier_lines":{"type":"integer"})");
    return tool;
}

Tool list_failures() {
    Tool tool =
        tool_of("list_failures", "List failures",
                "Lists the dropped tasks of a run, the last ones first, each with the reason and message "
                "of its last failure.",
                reading);
    tool.input_schema =
        input(concat(R"(,"step":{"type":"string","description":"only those of this step"})", page));
    tool.output_schema = mcp_result_schema(
        R"("Failures")",
        R"(,"run":{"type":"string"},"dropped":{"type":"integer"},"next_offset":{"type":"integer"},)"
        R"("failures":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},)"
        R"("step":{"type":"string"},"attempts":{"type":"integer"},"reason":{"type":"string"},"message":{"type":"string"}}}})");
    return tool;
}

Tool answer_human() {
    Tool tool = tool_of("answer_human", "Answer in a person's place",
                        "Answers a task that waits for a person. Do so only with the words of the user: show "
                        "them the instructions and the value (read_task), and ask. Only the first answer "
                        "counts. It is recorded as the user's, through MCP.",
                        {.is_destructive = true, .is_open_world = true});
    tool.input_schema = concat(
        R"({"type":"object","properties":{)", run_property, ",", task_property,
        R"(,"response":{"type":"array","items":{"type":"object"},"description":"the tasks that follow, each with kind and value; [] if none follows"},)"
        R"("reject":{"type":"string","description":"instead of a response: the reason why the task fails"}},"required":["run","task"]})");
    tool.output_schema = mcp_result_schema(R"("Done")", message);
    return tool;
}

}  // namespace

std::vector<Tool> mcp_run_tools(bool allows_answers) {
    std::vector<Tool> tools{list_runs(), run_status(),   wait_run(),     cancel_run(),
                            pause_run(), continue_run(), retry_run(),    list_tasks(),
                            read_task(), read_logs(),    list_failures()};
    if (allows_answers) tools.push_back(answer_human());
    return tools;
}

}  // namespace run_tools
