// Leads an AnswerDialog in the terminal of stdin and stdout. Blocking.
#pragma once

#include "people/answer_dialog.hpp"

#include <optional>

namespace people {

struct DialogEnd {
    std::optional<people::AnswerDialog::Give> answer = {};  // none: the user left
    int signal = 0;                                         // that ended the dialog; 0: none
};

DialogEnd lead(people::AnswerDialog dialog);

}  // namespace people
