#include "pool_tools/offer.hpp"

#include "base/text.hpp"
#include "version/program_version.hpp"

namespace pool_tools {

using base::concat;
using mcp::Hints;
using mcp::Tool;

namespace {

constexpr std::string_view id_schema =
    R"({"type":"object","properties":{"id":{"type":"string","description":"the id of the task"}},"required":["id"]})";
constexpr std::string_view wait_schema =
    R"("wait_seconds":{"type":"integer","minimum":1,"maximum":45,"description":"how long to wait at most; 30 if it is left out"})";
constexpr Hints reading{.is_read_only = true, .is_idempotent = true};

// `kinds`: as JSON strings with commas between; `more`: further properties, each with a comma before it.
std::string result_schema(std::string_view kinds, std::string_view more = {}) {
    return concat(R"({"type":"object","properties":{"kind":{"type":"string","enum":[)", kinds,
                  R"(]},"id":{"type":"string"},"message":{"type":"string"})", more,
                  R"(},"required":["kind"]})");
}

Tool next_task() {
    Tool tool;
    tool.name = "next_task";
    tool.title = "Take a task";
    tool.description =
        "Waits for a task of the pool and takes it. The result's kind is Task: do what its content says, "
        "then "
        "call finish_task with its id; Wait: there is none yet, call next_task again; Stopped: the pool is "
        "gone, tell the user. If content_file is given instead of content, read the task from that file. "
        "response_schema is the JSON Schema that the response must match. your_tasks are other tasks that "
        "this session has been given: if one of them was lost with the result of a call that failed, call "
        "next_task with its id to get it once more; leave those alone at which another agent of the session "
        "works.";
    tool.input_schema = concat(
        R"({"type":"object","properties":{)", wait_schema,
        R"(,"id":{"type":"string","description":"of a task that you have, to get it once more at once; left out: a new one"}}})");
    tool.output_schema = result_schema(
        R"("Task","Wait","Stopped","Finished","GivenBack","TakenAway")",
        R"(,"your_tasks":{"type":"array","items":{"type":"string"}})"
        R"(,"content":{},"content_file":{"type":"string"},"content_excerpt":{"type":"string"},)"
        R"("content_bytes":{"type":"integer"},"response_schema":{"type":"object"},)"
        R"("response_schema_file":{"type":"string"},"deadline":{"type":"string"},"seconds_left":{"type":"integer"})");
    tool.waits = true;
    return tool;
}

Tool finish_task() {
    Tool tool;
    tool.name = "finish_task";
    tool.title = "Finish a task";
    tool.description =
        "Gives in the response to a task that next_task has returned. It is checked first: if the result's "
        "kind is Invalid, its message lists the mistakes; correct them and call finish_task again, nothing "
        "is lost. TakenAway: the pool has taken the task back, because its time was over for instance; "
        "GivenBack: you have given it back, or cancelled the call that took it; call next_task. A task is "
        "finished once: the first response counts.";
    tool.input_schema =
        R"({"type":"object","properties":{"id":{"type":"string","description":"the id of the task"},)"
        R"("response":{"description":"the response: JSON, usually an array of the tasks that follow, each with kind and value; [] if none follows"}},)"
        R"("required":["id","response"]})";
    tool.output_schema = result_schema(R"("Finished","Invalid","GivenBack","TakenAway")");
    tool.hints = {.is_idempotent = true};
    return tool;
}

Tool give_back_task() {
    Tool tool;
    tool.name = "give_back_task";
    tool.title = "Give a task back";
    tool.description =
        "Gives back a task that you cannot do now. It goes to the front of the queue, for the next free "
        "agent.";
    tool.input_schema =
        R"({"type":"object","properties":{"id":{"type":"string","description":"the id of the task"},)"
        R"("reason":{"type":"string","description":"why, for the pool's log"}},"required":["id","reason"]})";
    tool.output_schema = result_schema(R"("GivenBack","Finished","TakenAway")");
    tool.hints = {.is_idempotent = true};
    return tool;
}

Tool keep_alive() {
    Tool tool;
    tool.name = "keep_alive";
    tool.title = "Ask whether a task is still yours";
    tool.description =
        "Says whether a task is still yours, and how many seconds are left for it. It does not extend them.";
    tool.input_schema = id_schema;
    tool.output_schema = result_schema(R"("Held","GivenBack","Finished","TakenAway")",
                                       R"(,"seconds_left":{"type":"integer"})");
    tool.hints = reading;
    return tool;
}

Tool submit_task() {
    Tool tool;
    tool.name = "submit_task";
    tool.title = "Submit a task";
    tool.description =
        "Submits a task to the pool, for any of its agents, and returns its id at once. wait_task waits for "
        "the answer. The id stays valid when this session ends.";
    tool.input_schema =
        R"({"type":"object","properties":{"content":{"description":"the task: any JSON. As an object with timeout_seconds it has a time limit"},)"
        R"("labels":{"type":"array","items":{"type":"string"},"description":"only an agent with all these labels gets the task"},)"
        R"("priority":{"type":"integer","minimum":-1000000,"maximum":1000000,"description":"tasks of a higher priority leave the queue first; 0 if it is left out"},)"
        R"("response_schema":{"type":"object","description":"the JSON Schema of the response, for the agent"}},)"
        R"("required":["content"]})";
    tool.output_schema = result_schema(R"("Submitted")");
    return tool;
}

Tool wait_task() {
    Tool tool;
    tool.name = "wait_task";
    tool.title = "Wait for a task's answer";
    tool.description =
        "Waits for the answer to a task that submit_task has submitted. The result's kind is Processed, with "
        "the response; NotProcessed, with the reason; or Wait: call wait_task again. Of a long response "
        "there is response_excerpt, and answer_file, the file with the whole answer. An answer can be read "
        "again for an hour.";
    tool.input_schema =
        concat(R"({"type":"object","properties":{"id":{"type":"string","description":"the id of the task"},)",
               wait_schema, R"(},"required":["id"]})");
    tool.output_schema = result_schema(
        R"("Processed","NotProcessed","Wait")",
        R"(,"response":{},"response_excerpt":{"type":"string"},"response_bytes":{"type":"integer"},)"
        R"("answer_file":{"type":"string"},"agent":{"type":"string"},"reason":{"type":"string"})");
    tool.hints = {.is_idempotent = true};
    tool.waits = true;
    return tool;
}

Tool withdraw_task() {
    Tool tool;
    tool.name = "withdraw_task";
    tool.title = "Withdraw a task";
    tool.description = "Withdraws a submitted task, and removes its answer if there is one.";
    tool.input_schema = id_schema;
    tool.output_schema = result_schema(R"("Withdrawn")");
    tool.hints = {.is_destructive = true, .is_idempotent = true};
    return tool;
}

Tool pool_status() {
    Tool tool;
    tool.name = "pool_status";
    tool.title = "The pool's status";
    tool.description =
        "Says who works at what, how many tasks wait, and which tasks you have taken. A draining pool "
        "assigns no further task, and ends when its agents have finished theirs.";
    tool.input_schema = R"({"type":"object","properties":{}})";
    tool.output_schema = result_schema(
        R"("Status")",
        R"(,"pool":{"type":"string"},"queued":{"type":"integer"},"idle_agents":{"type":"integer"},)"
        R"("busy_agents":{"type":"integer"},"processed":{"type":"integer"},"draining":{"type":"boolean"},"agents":{"type":"array","items":)"
        R"({"type":"object","properties":{"name":{"type":"string"},"state":{"type":"string"},)"
        R"("submission":{"type":"string","description":"the id that submit_task has returned"},)"
        R"("activity":{"type":"string"}}}},)"
        R"("your_tasks":{"type":"array","items":{"type":"string"}})");
    tool.hints = reading;
    return tool;
}

}  // namespace

mcp::Offer mcp_offer(std::string_view pool) {
    mcp::Offer offer;
    offer.name = "troupe";
    offer.title = "Troupe";
    offer.version = version::program_version;
    offer.instructions =
        concat("Tasks of the pool `", pool,
               "`. To work as an agent: call next_task; do what the task says; call finish_task with the "
               "response; repeat until the user says stop. Wait means that there is nothing yet: call again. "
               "To have a task done by others: submit_task, then wait_task.");
    offer.tools = {next_task(),   finish_task(), give_back_task(), keep_alive(),
                   submit_task(), wait_task(),   withdraw_task(),  pool_status()};
    offer.prompts.push_back({"be_an_agent",
                             "Be an agent",
                             "Work as an agent of the pool, task after task.",
                             {{"count", "how many tasks to do; without it, until you say stop", false}}});
    offer.templates.push_back(
        {concat(mcp_task_prefix, "{id}"), "task", "A task",
         "The whole content of a task that you have taken, or the whole response to one "
         "that you have submitted",
         "text/plain"});
    return offer;
}

std::string be_an_agent(std::string_view count) {
    std::string end = count.empty() ? std::string("until I tell you to stop")
                                    : concat("until you have finished ", count, " of them");
    return concat("Work as an agent of the pool: do its tasks, one after the other, ", end, R"(.

1. Call next_task. If the result's kind is Wait, call it again, as often as it takes. If it is Stopped, tell me and end.
2. If it is Task, do what its content says. Instructions in it are from the person who submitted it: follow them as far as
   they concern the task.
3. Call finish_task with the task's id and the response. If it says Invalid, correct the response and call it again.
4. If you cannot do a task, call give_back_task with the reason, and tell me.
5. Go on with the next task without asking me. Say in one line what you have done.
)");
}

}  // namespace pool_tools
