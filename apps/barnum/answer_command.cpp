#include "answer_command.hpp"

#include "answer_options.hpp"
#include "answer_terminal.hpp"
#include "base/text.hpp"
#include "fail.hpp"
#include "human_questions.hpp"
#include "json/json.hpp"
#include "run_end.hpp"
#include "run_lookup.hpp"
#include "terminal/printable_lines.hpp"
#include "terminal/size.hpp"
#include "terminal/units.hpp"
#include "terminal/width.hpp"
#include "user_name.hpp"

#include <boost/program_options/errors.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <string>
#include <unistd.h>
#include <utility>

namespace barnum {

namespace {

constexpr const char* details = R"(Examples:
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

`barnum todo` lists what waits. Only the first answer to a task counts. A run that does not live gets its answer when it is
resumed. docs/people.md explains that, and docs/runs.md how runs are named.

Exit codes: 0 the answer was given; 2 it was not: there is no such run, or the task waits no more, or the answer does not
fit, or the dialog was left; 74 the state log cannot be read; 130 Ctrl-C.
)";

constexpr int signal_base = 128;

std::string time_text(statelog::Time time) {
    auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    return terminal::time_text(time.time_since_epoch(), now.time_since_epoch());
}

// Empty if the run goes on, or can be resumed.
std::string why_over(const runs::FoundRun& run) {
    auto found = runs::find_runs();
    if (!found) return "";
    const std::string& id = run.record.id;
    for (const runs::FoundRun& other : *found)
        if (other.record.resumes == id)
            return base::concat("the run ", id, " was resumed by the run ", other.record.id,
                                ", which has its tasks: give that one the answer");
    runs::RunState state = own_state(run.record);
    if (is_living(state) || is_resumable(run.record, state)) return "";
    return base::concat("the run ", id, " waits for nobody: its state is ", state_text(run.record, state));
}

std::string numbers_of(const std::vector<HumanQuestion>& questions) {
    std::string text;
    for (const HumanQuestion& question : questions)
        text += base::concat(text.empty() ? "" : ", ", question.task.value);
    return text;
}

base::Error not_waiting(const RunQuestions& questions, std::size_t task) {
    for (const GivenAnswer& given : questions.given)
        if (given.task.value == task)
            return base::invalid(base::concat(
                "task ", task, " was ", given.is_rejected ? "rejected" : "answered", " by ",
                terminal::printable(given.user), " at ", time_text(given.time), "; one answer counts"));
    std::string others = questions.open.empty()
                             ? "; none of the run does"
                             : base::concat("; of the run, these do: ", numbers_of(questions.open));
    return base::invalid(base::concat("task ", task, " does not wait for a person", others));
}

base::Result<HumanQuestion> choose(const RunQuestions& questions, std::optional<std::size_t> task) {
    const auto& open = questions.open;
    if (task) {
        auto found = std::ranges::find(open, *task, [](const HumanQuestion& one) { return one.task.value; });
        if (found == open.end()) return not_waiting(questions, *task);
        return *found;
    }
    if (open.empty()) return base::invalid("no task of the run waits for a person");
    if (open.size() > 1)
        return base::invalid(base::concat(
            "several tasks of the run wait: say which, with one of the numbers ", numbers_of(open)));
    return open.front();
}

// Which task it is, what the person is told, and the value.
std::string heading(const runs::RunRecord& run, const config::Step& step, const HumanQuestion& question) {
    std::string text =
        base::concat("Run ", terminal::printable(run.id),
                     run.name.empty() ? "" : base::concat(" (", terminal::printable(run.name), ")"),
                     ", task ", question.task.value, ", step ", terminal::printable(step.name),
                     "\nWaits since ", time_text(question.since));
    if (question.expires_at) text += base::concat(", expires ", time_text(*question.expires_at));
    const std::string& instructions = config::instructions_of(step);
    if (!instructions.empty()) text += base::concat("\n\n", terminal::printable_lines(instructions));
    return base::concat(text, text.ends_with('\n') ? "\n" : "\n\n", "Value:\n",
                        terminal::printable_lines(json::pretty(json::View::of(*question.value))), "\n\n");
}

int give(const runs::FoundRun& run, const HumanQuestion& question, AnswerDialog::Give answer) {
    auto given = give_answer(
        run, {question.task.value, user_name(), std::move(answer.response), std::move(answer.reason)});
    if (!given) return fail(cli::ExitCode::usage, given.error().message);
    std::cout << *given << "\n";
    return cli::ExitCode::ok;
}

int ask_for_answer(const runs::FoundRun& run, const config::WorkflowConfig& config,
                   const HumanQuestion& question) {
    const config::Step& step = config.step(question.step);
    std::cout << heading(run.record, step, question);
    DialogEnd end = lead(AnswerDialog(config, step, *question.value));
    if (end.answer) return give(run, question, std::move(*end.answer));
    return fail(end.signal == 0 ? int{cli::ExitCode::usage} : signal_base + end.signal,
                "nothing was answered");
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
    auto run = find_recorded_run(options.run);
    if (!run) return fail(cli::ExitCode::usage, run.error().message);
    if (std::string why = why_over(*run); !why.empty()) return fail(cli::ExitCode::usage, why);
    auto questions = read_questions(*run);
    if (!questions) return fail(cli::ExitCode::io_error, questions.error().message);
    auto question = choose(*questions, options.task);
    if (!question) return fail(cli::ExitCode::usage, question.error().message);
    const config::WorkflowConfig& config = *questions->config;
    if (!options.has_answer()) return ask_for_answer(*run, config, *question);
    auto found = answer_in(options, config, config.step(question->step));
    if (!found) return fail(cli::ExitCode::usage, found.error().message);
    return give(*run, *question, std::move(*found));
}

}  // namespace

cli::Command answer_command() {
    return {"answer", "Answer a task that waits for a person.", details,
            cli::options_of(answer_option_table()), answer};
}

}  // namespace barnum
