#include "base/exit_code.hpp"
#include "cli/option_table.hpp"
#include "commands.hpp"
#include "fail.hpp"
#include "listings/question_list.hpp"
#include "terminal/size.hpp"
#include "terminal/width.hpp"

#include <iostream>
#include <string>
#include <unistd.h>
#include <vector>

namespace barnum {

namespace {

constexpr const char* todo_details = R"(Examples:
  barnum todo
      Lists the tasks that wait for a person, of the runs that are running and of those that can be resumed.
  barnum todo --json | jq -r '.[] | select(.step == "Approve") | .run_id'

`barnum answer RUN ID` answers one. docs/people.md explains how tasks wait for people.

Exit codes: 0 the tasks were listed, even if there are none; 74 the directory of the runs cannot be read.
)";

struct TodoArguments {
    bool json = false;
};

const cli::OptionTable<TodoArguments>& todo_option_table() {
    static const cli::OptionTable<TodoArguments> table{
        {{"json", cli::none(), "print a JSON array with all that is known of each task"},
         cli::into(&TodoArguments::json)}};
    return table;
}

void print_text(const std::vector<listings::AskingRun>& list) {
    std::vector<std::string> lines = listings::question_table(list);
    if (lines.empty()) std::cerr << "nothing waits for a person\n";
    for (const std::string& line : lines)
        std::cout << (terminal::is_terminal(STDOUT_FILENO)
                          ? terminal::cut(line, terminal::size_of(STDOUT_FILENO).columns)
                          : line)
                  << "\n";
    std::cout << listings::kept_answers_text(list);
}

int todo(const cli::Options& given) {
    TodoArguments arguments = cli::read(todo_option_table(), given);
    auto list = listings::find_asking_runs();
    if (!list) return fail(base::ExitCode::io_error, list.error().message);
    if (arguments.json)
        std::cout << listings::questions_json(*list);
    else
        print_text(*list);
    return base::ExitCode::ok;
}

}  // namespace

cli::Command todo_command() {
    return {"todo", "List the tasks that wait for a person.", todo_details,
            cli::options_of(todo_option_table()), todo};
}

}  // namespace barnum
