#include "people/answer_dialog.hpp"

#include "base/text.hpp"
#include "base/text_parts.hpp"
#include "json/json.hpp"
#include "people/answer_draft.hpp"
#include "terminal/printable_lines.hpp"
#include "terminal/width.hpp"

#include <charconv>
#include <utility>

namespace people {

namespace {

using Turn = AnswerDialog::Turn;

std::string unknown_choice(std::string_view choice) {
    return choice.empty() ? "" : base::concat("There is no choice \"", terminal::printable(choice), "\".\n");
}

std::string pretty(const std::string& text) {
    return terminal::printable_lines(json::pretty(json::View::of(text)));
}

}  // namespace

AnswerDialog::AnswerDialog(const config::WorkflowConfig& config, const config::Step& step,
                           std::string_view value)
    : config_(config), step_(step), value_(value) {}

Turn AnswerDialog::begin() {
    return choose("");
}

// Whoever wants to leave can, at each prompt.
Turn AnswerDialog::line(std::string_view line) {
    if (base::trimmed(line) == "q") return {"", Leave{}};
    switch (state_) {
        case State::mending:
            return mended(base::trimmed(line));
        case State::giving_reason:
            return reject(base::trimmed(line));
        case State::confirming:
            return confirmed(base::trimmed(line));
        default:
            return chosen(base::trimmed(line));
    }
}

Turn AnswerDialog::edited(std::string text, const std::string& problem) {
    draft_ = std::move(text);
    if (!problem.empty()) return ask_whether_to_mend(problem);
    if (auto mistake = accept(draft_)) return ask_whether_to_mend(*mistake);
    return choose("");
}

Turn AnswerDialog::choose(std::string text) {
    state_ = State::choosing;
    return {base::concat(text, tasks_so_far(), choices()), Ask{"Choice: "}};
}

Turn AnswerDialog::chosen(std::string_view choice) {
    if (auto index = step_chosen(choice)) {
        next_ = *index;
        draft_ = base::concat(answer_draft(next(next_), value_), "\n");
        return edit();
    }
    if (choice == (tasks_.empty() ? "n" : "d")) {
        answer_ = {response(), ""};
        return confirm();
    }
    if (choice == "u" && !tasks_.empty()) {
        tasks_.pop_back();
        return choose("");
    }
    if (choice == "r" && tasks_.empty()) {
        state_ = State::giving_reason;
        return {"", Ask{"Reason: "}};
    }
    return choose(unknown_choice(choice));
}

Turn AnswerDialog::edit() {
    state_ = State::editing;
    return {"", Edit{draft_}};
}

Turn AnswerDialog::ask_whether_to_mend(std::string problem) {
    state_ = State::mending;
    return {base::concat(
                terminal::printable_lines(problem),
                "\n  e  edit it again\n  g  give it up, and choose again\n  q  quit: nothing is answered\n"),
            Ask{"Choice: "}};
}

Turn AnswerDialog::mended(std::string_view choice) {
    if (choice == "e") return edit();
    if (choice == "g") return choose("");
    return {unknown_choice(choice), Ask{"e, g or q: "}};
}

Turn AnswerDialog::reject(std::string_view reason) {
    if (reason.empty()) return choose("A task is rejected only for a reason.\n");
    answer_ = {std::nullopt, std::string(reason)};
    return confirm();
}

Turn AnswerDialog::confirm() {
    state_ = State::confirming;
    std::string what = !answer_.response
                           ? base::concat("The task is rejected: ", terminal::printable(answer_.reason))
                       : tasks_.empty() ? "Nothing follows."
                                        : base::concat(base::counted(tasks_.size(), "task"),
                                                       tasks_.size() == 1 ? " follows." : " follow.");
    return {what + "\n", Ask{"Give this answer? y, n or q (quit): "}};
}

// Whoever does not confirm begins again.
Turn AnswerDialog::confirmed(std::string_view choice) {
    if (choice == "y") return {"", std::move(answer_)};
    if (choice != "n") return {unknown_choice(choice), Ask{"y, n or q: "}};
    tasks_.clear();
    return choose("");
}

// Adds the task with this value to the response, or says what is wrong with it.
std::optional<std::string> AnswerDialog::accept(const std::string& text) {
    auto value = json::parse(text, "the value", json::Dialect::jsonc);
    if (!value) return value.error().message;
    tasks_.push_back(
        base::concat("{\"kind\":", json::quote(next(next_).name), ",\"value\":", json::compact(*value), "}"));
    auto tasks = config::parse_response(config_, step_, response());
    if (tasks) return std::nullopt;
    tasks_.pop_back();
    return tasks.error().message;
}

// The step that was chosen by its number in the list.
std::optional<std::size_t> AnswerDialog::step_chosen(std::string_view choice) const {
    std::size_t number = 0;
    auto [end, error] = std::from_chars(choice.data(), choice.data() + choice.size(), number);
    bool is_number = error == std::errc() && end == choice.data() + choice.size();
    if (is_number && number >= 1 && number <= step_.next.size()) return number - 1;
    return std::nullopt;
}

std::string AnswerDialog::response() const {
    std::string text = "[";
    for (const std::string& task : tasks_)
        text += base::concat(text.size() > 1 ? "," : "", task);
    return text + "]";
}

std::string AnswerDialog::tasks_so_far() const {
    if (tasks_.empty()) return "";
    return base::concat("The answer so far:\n", pretty(response()), "\n\n");
}

std::string AnswerDialog::choices() const {
    std::string text = tasks_.empty() ? "What follows?\n" : "One more task, or done?\n";
    for (std::size_t i = 0; i < step_.next.size(); ++i)
        text += base::concat("  ", i + 1, "  ", terminal::printable(next(i).name), "\n");
    text += tasks_.empty() ? "  n  nothing follows\n  r  reject the task, for a reason\n"
                           : "  d  done\n  u  undo: take the last task out\n";
    return text + "  q  quit: nothing is answered\n";
}

}  // namespace people
