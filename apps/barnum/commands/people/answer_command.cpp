#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "commands.hpp"
#include "commands/people/answer_options.hpp"
#include "fail.hpp"
#include "inspect/task_text.hpp"
#include "json/json.hpp"
#include "people/answer_terminal.hpp"
#include "people/human_questions.hpp"
#include "runs/run_end.hpp"
#include "runs/user_name.hpp"
#include "statelog/entry_reader.hpp"
#include "terminal/printable_lines.hpp"
#include "terminal/size.hpp"
#include "terminal/width.hpp"

#include <boost/program_options/errors.hpp>

#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>

namespace barnum {

namespace {

constexpr const char* answer_details = R"(Examples:
  barnum answer last
      Shows the task that waits in the run that was started last, asks what follows, and opens $VISUAL or $EDITOR with a
      value for it.
  barnum answer nightly 12 --next Publish --value '{"text": "Good."}'
      Answers task 12 of the run with the name nightly: one task of the step Publish follows.
  barnum answer nightly 12 --next Publish --value a.json --next Archive --value '{}'
      Two tasks follow. The first --value belongs to the first --next, and so on.
  barnum answer nightly 12 --response '[]'
      Nothing follows.
  barnum answer nightly 12 --reject "The plan has no tests."
      The task fails, for this reason.

`barnum todo` lists what waits. Only the first answer to a task counts. A run that is not running gets its answer when
it is resumed. docs/people.md explains that, and docs/runs.md how runs are named.

Exit codes: 0 the answer was given; 2 it was not: there is no such run, the task is not waiting any more, the answer
does not match the schemas, or you have quit the dialog; 74 the state log cannot be read; 130 Ctrl-C.
)";

constexpr int signal_base = 128;

// The first of them, and how many others there are.
std::string numbers_of(const std::vector<people::HumanQuestion>& questions) {
    constexpr std::size_t most = 20;
    std::string text;
    for (std::size_t i = 0; i < std::min(questions.size(), most); ++i)
        text += base::concat(text.empty() ? "" : ", ", questions[i].task.value);
    if (questions.size() <= most) return text;
    return base::concat(text, " and ", questions.size() - most, " others, which `barnum todo` lists");
}

base::Result<people::HumanQuestion> choose(const runs::FoundRun& run, const people::RunQuestions& questions,
                                           std::optional<std::size_t> task) {
    const auto& open = questions.open;
    if (task) {
        auto found =
            std::ranges::find(open, *task, [](const people::HumanQuestion& one) { return one.task.value; });
        if (found == open.end()) return people::why_not_waiting(run, {*task});
        return *found;
    }
    if (open.empty()) return people::why_none_waits(questions);
    if (open.size() > 1)
        return base::invalid(base::concat(
            "several tasks of the run wait: say which, with one of the numbers ", numbers_of(open)));
    return open.front();
}

// Says which task it is, what the person is told, and the value.
std::string heading(const runs::RunRecord& run, const config::Step& step,
                    const people::HumanQuestion& question) {
    std::string text =
        base::concat("Run ", terminal::printable(run.id),
                     run.name.empty() ? "" : base::concat(" (", terminal::printable(run.name), ")"),
                     ", task ", question.task.value, ", step ", terminal::printable(step.name),
                     "\nWaits since ", inspect::local_time_text(question.since));
    if (question.expires_at)
        text += base::concat(", expires ", inspect::local_time_text(*question.expires_at));
    const std::string& instructions = config::instructions_of(step);
    if (!instructions.empty()) text += base::concat("\n\n", terminal::printable_lines(instructions));
    return base::concat(text, text.ends_with('\n') ? "\n" : "\n\n", "Value:\n",
                        terminal::printable_lines(json::pretty(json::View::of(*question.value))), "\n\n");
}

// Says who answers.
std::string answerer(const std::string& through) {
    return through.empty() ? runs::user_name() : base::concat(runs::user_name(), " through ", through);
}

int refused(const base::Error& why) {
    return fail(statelog::is_damage(why) ? base::ExitCode::io_error : base::ExitCode::usage, why.message);
}

int give(const runs::FoundRun& run, std::size_t task, people::AnswerDialog::Give answer,
         const std::string& through) {
    auto given = people::give_answer(
        run, {task, answerer(through), std::move(answer.response), std::move(answer.reason)});
    if (!given) return refused(given.error());
    std::cout << *given << "\n";
    return base::ExitCode::ok;
}

int ask_for_answer(const runs::FoundRun& run, const config::WorkflowConfig& config,
                   const people::HumanQuestion& question, const std::string& through) {
    const config::Step& step = config.step(question.step);
    std::cout << heading(run.record, step, question);
    people::DialogEnd end = people::lead(people::AnswerDialog(config, step, *question.value));
    if (end.answer) return give(run, question.task.value, std::move(*end.answer), through);
    return fail(end.signal == 0 ? int{base::ExitCode::usage} : signal_base + end.signal,
                "nothing was answered");
}

// Used if the run's questions are needed: to ask, or because no task is named.
int answer_question(const runs::FoundRun& run, std::optional<std::size_t> task,
                    std::optional<people::AnswerDialog::Give> answer, const std::string& through) {
    if (auto newest = people::check_not_resumed(run); !newest) return refused(newest.error());
    auto questions = people::read_questions(run);
    if (!questions) return fail(base::ExitCode::io_error, questions.error().message);
    auto question = choose(run, *questions, task);
    if (!question) return fail(base::ExitCode::usage, question.error().message);
    if (answer) return give(run, question->task.value, std::move(*answer), through);
    return ask_for_answer(run, *questions->config, *question, through);
}

int answer(const cli::Options& given) {
    AnswerOptions options = cli::read(answer_option_table(), given);
    check(options);
    if (!options.has_answer() &&
        !(terminal::is_terminal(STDIN_FILENO) && terminal::is_terminal(STDOUT_FILENO)))
        throw boost::program_options::error(
            "without a terminal there is no dialog: give the answer with --next KIND --value JSON, "
            "--response "
            "JSON or --reject REASON");
    auto run = runs::find_recorded_run(options.run);
    if (!run) return fail(base::ExitCode::usage, run.error().message);
    if (!options.has_answer()) return answer_question(*run, options.task, std::nullopt, options.through);
    auto found = answer_in(options);
    if (!found) return fail(base::ExitCode::usage, found.error().message);
    if (options.task) return give(*run, *options.task, std::move(*found), options.through);
    return answer_question(*run, std::nullopt, std::move(*found), options.through);
}

}  // namespace

cli::Command answer_command() {
    return {"answer", "Answer a task that waits for a person.", answer_details,
            cli::options_of(answer_option_table()), answer};
}

}  // namespace barnum
