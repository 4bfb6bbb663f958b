#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "cli/common_options.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "context.hpp"
#include "json/shown_word.hpp"

#include <iostream>

namespace troupe {

namespace {

std::string agent_protocol(const std::string& get_task) {
    return base::concat(
        R"(# You are an agent of a task pool

Work in a loop until you are told to stop:

1. Ask for work. The command waits until there is some, which may take long, and prints one JSON object:

       )",
        get_task, R"(

2. Look at its `kind`.
   - `Task`: `content` is the task. `content.instructions` says what is expected, `content.task.value` is what to do it
     with. Do the work.
   - `Heartbeat`: the pool asks whether you are there. There is nothing to do.
   - `Kicked`: you took too long, or the pool has stopped (`reason`). There is nothing to answer; go back to 1.
3. Answer by writing a file, whose path is in `response_file`.
   - For a `Task`, the JSON that the instructions ask for, usually an array of next tasks; `[]` if there are none.
   - For a `Heartbeat`, any JSON, such as `{}`.

       echo '[]' > "$RESPONSE_FILE"

4. Go back to 1 at once. Each round is a fresh start: nothing of an earlier task belongs to the next one.
)");
}

std::string file_protocol(const std::string& pool) {
    return base::concat(
        R"(
# The protocol: files and a socket

All of it is in )",
        pool, R"(; a pool is served while `status` is there.

Agents, in `agents/`, with a fresh UUID each time:
- `<uuid>.ready.json`, by the agent: {} or {"name":"…"}. Removing it while a task is being done hands the task back.
- `<uuid>.task.json`, by the daemon: the content of a task, or {"kind":"Heartbeat",…}, or {"kind":"Kicked","reason":"…"}.
- `<uuid>.response.json`, by the agent: the response, complete when the file is closed or renamed to this name.
The daemon removes all three.

Submitters, in `submissions/`; write in `scratch/` and rename:
- `<uuid>.request.json`, by the submitter: {"kind":"Inline","content":"<JSON text>"} or
  {"kind":"FileReference","path":"/absolute"}. Removing it withdraws the submission.
- `<uuid>.response.json`, by the daemon: the answer. The submitter removes both.

Submitters, on `daemon.sock`: frames of `<length in bytes>\n<JSON>` both ways. The JSON is the same, and may carry an "id"
of the submitter's choice, which comes back with the answer; the same id is never done twice. {"kind":"Withdraw","id":"…"}
withdraws a submission.

The answer: {"kind":"Processed","stdout":"<the response>"} or {"kind":"NotProcessed","reason":"timeout"|"stopped"|"invalid"}.
)");
}

}  // namespace

cli::Command protocol_command() {
    cli::Command command;
    command.name = "protocol";
    command.summary = "Print the rules for agents, to be pasted into the prompt of a language model.";
    command.details = "Examples:\n  claude -p \"$(troupe protocol --name reviewer)\"\n";
    const cli::Option name{"name", cli::text("NAME", "a name (for example reviewer)"),
                           "the agent's name, for the command in the text"};
    const cli::Option low_level{"low-level", cli::none(), "also print the protocol of files and socket"};
    command.options = {pool_option(), name, low_level};
    command.run = [=](const cli::Options& given) {
        auto directory = pool_of(given);
        if (directory.has_error()) return fail(directory.error(), base::ExitCode::usage);
        std::string get_task = "troupe get_task";
        for (const cli::Option& option : {cli::root_option(), pool_option(), name})
            for (const std::string& text : cli::texts_of(option, given))
                get_task += base::concat(" --", option.name, " ", json::shown_word(text));
        std::cout << agent_protocol(get_task);
        if (cli::is_given(low_level, given)) std::cout << file_protocol(directory->path);
        return static_cast<int>(base::ExitCode::ok);
    };
    return command;
}

}  // namespace troupe
