// The dialog in which a person answers a task (docs/people.md): chooses what follows, edits the values, mends
// mistakes and confirms. Pure: a state machine whose inputs are lines and edited texts. It prints nothing,
// runs no editor and gives no answer.
#pragma once

#include "base/error.hpp"
#include "config/response.hpp"
#include "config/workflow_config.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace people {

class AnswerDialog {
  public:
    // What to do next.
    struct Ask {  // read a line, for line()
        std::string prompt;
    };
    struct Edit {  // let the person edit the text, for edited()
        std::string text;
    };
    struct Give {  // the end: a response, or no response and the reason for rejecting the task
        std::optional<std::string> response;
        std::string reason;
    };
    struct Leave {};  // the end: nothing is answered

    struct Turn {
        std::string text;  // to be printed first; safe for a terminal
        std::variant<Ask, Edit, Give, Leave> action;
    };

    // The task to be answered: of that step of the config, with that value. Both must outlive the dialog.
    AnswerDialog(const config::WorkflowConfig& config, const config::Step& step, std::string_view value);

    Turn begin();
    Turn line(std::string_view line);
    // What is in the file after the editor has ended. `problem`: what went wrong with the editor; may be
    // empty.
    Turn edited(std::string text, const std::string& problem);

  private:
    enum class State { choosing, editing, mending, giving_reason, confirming };

    Turn choose(std::string text);
    Turn chosen(std::string_view choice);
    Turn ask_whether_to_mend(std::string problem);
    Turn mended(std::string_view choice);
    Turn reject(std::string_view reason);
    Turn confirm();
    Turn confirmed(std::string_view choice);
    Turn edit();
    std::optional<std::string> accept(const std::string& text);
    std::optional<std::size_t> step_chosen(std::string_view choice) const;
    const config::Step& next(std::size_t index) const { return config_.step(step_.next[index]); }
    std::string response() const;
    std::string tasks_so_far() const;
    std::string choices() const;

    const config::WorkflowConfig& config_;
    const config::Step& step_;
    std::string_view value_;
    State state_ = State::choosing;
    std::vector<std::string> tasks_;  // of the answer so far, as JSON
    std::size_t next_ = 0;            // the step of the task that is edited, in `next`
    std::string draft_;               // its value, as it was edited last
    AnswerDialog::Give answer_;
};

}  // namespace people
