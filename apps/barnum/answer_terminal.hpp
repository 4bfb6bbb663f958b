// Leads an AnswerDialog in the terminal of stdin and stdout. Blocking.
#pragma once

#include "answer_dialog.hpp"

#include <optional>

namespace barnum {

struct DialogEnd {
    std::optional<AnswerDialog::Give> answer = {};  // none: the user left
    int signal = 0;                                 // that ended the dialog; 0: none
};

DialogEnd lead(AnswerDialog dialog);

}  // namespace barnum
