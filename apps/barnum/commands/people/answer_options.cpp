#include "commands/people/answer_options.hpp"

#include "base/text.hpp"
#include "candidates/question_candidates.hpp"
#include "json/json.hpp"
#include "launch/json_argument.hpp"
#include "run_argument.hpp"
#include "runs/run_reference.hpp"

#include <boost/program_options/errors.hpp>

namespace barnum {

namespace po = boost::program_options;

namespace {

using cli::into;

// The JSON is compact.
base::Result<std::string> json_of(const std::string& argument, const std::string& option) {
    auto given = launch::json_argument(argument, option);
    if (!given) return given.error();
    auto value = json::parse(given->text, option, json::Dialect::jsonc);
    if (!value) return value.error();
    return json::compact(*value);
}

base::Result<std::string> response_of(const AnswerOptions& options) {
    if (options.response) return json_of(*options.response, "--response");
    std::string tasks;
    for (std::size_t i = 0; i < options.next.size(); ++i) {
        auto value = json_of(options.values[i], "--value");
        if (!value) return value.error();
        tasks += base::concat(i == 0 ? "" : ",", "{\"kind\":", json::quote(options.next[i]),
                              ",\"value\":", *value, "}");
    }
    return base::concat("[", tasks, "]");
}

}  // namespace

const cli::OptionTable<AnswerOptions>& answer_option_table() {
    static const cli::OptionTable<AnswerOptions> table{
        {run_argument("the run of the task"), into(&AnswerOptions::run)},
        {{.name = "task",
          .value = cli::whole_number("ID", 0).completed_by(candidates::open_questions),
          .summary = "the number of the task, as `barnum todo` shows it; may be left out if no other task of "
                     "the run waits; the word --task may be left out",
          .is_positional = true},
         into(&AnswerOptions::task)},
        {{"next",
          cli::text("KIND", "the step of a task that follows").completed_by(candidates::next_steps).as_list(),
          "a task of this step follows; repeatable, each time with a --value"},
         into(&AnswerOptions::next)},
        {{"value", cli::file("FILE|JSON", launch::json_or_file).as_list(), "the value of the task of --next"},
         into(&AnswerOptions::values)},
        {{"response", cli::file("FILE|JSON", launch::json_or_file),
          "all tasks that follow, as an array of {\"kind\",\"value\"}; [] if nothing follows"},
         into(&AnswerOptions::response)},
        {{"reject", cli::text("REASON", "why the task is rejected"),
          "reject the task: it fails for this reason"},
         into(&AnswerOptions::reason)},
        {{"through", cli::text("NAME", "of a program"),
          "record that the answer came through this program: \"mira through MCP\""},
         into(&AnswerOptions::through)}};
    return table;
}

void check(const AnswerOptions& options) {
    if (!options.through.empty() && !runs::is_name(options.through))
        throw po::error(base::concat("--through ", runs::name_rule, ", not '", options.through, "'"));
    bool has_tasks = !options.next.empty() || !options.values.empty();
    if (int{has_tasks} + int{options.response.has_value()} + int{options.reason.has_value()} > 1)
        throw po::error(
            "--next, --response and --reject cannot be combined: each of them is the whole answer");
    if (options.next.size() > options.values.size())
        throw po::error(base::concat("--next ", options.next[options.values.size()],
                                     " has no value: give each --next a --value"));
    if (options.next.size() < options.values.size())
        throw po::error("a --value belongs to no --next: give each --value a --next KIND");
}

base::Result<people::AnswerDialog::Give> answer_in(const AnswerOptions& options) {
    if (options.reason) return people::AnswerDialog::Give{std::nullopt, *options.reason};
    auto response = response_of(options);
    if (!response) return response.error();
    return people::AnswerDialog::Give{std::move(*response), ""};
}

}  // namespace barnum
