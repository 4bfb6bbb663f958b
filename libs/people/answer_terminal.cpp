#include "people/answer_terminal.hpp"

#include "screen/editor.hpp"
#include "screen/terminal_lines.hpp"

#include <iostream>
#include <utility>
#include <variant>

namespace people {

DialogEnd lead(people::AnswerDialog dialog) {
    screen::TerminalLines lines;
    screen::Editor editor;
    people::AnswerDialog::Turn turn = dialog.begin();
    while (lines.signal_number() == 0) {
        std::cout << turn.text << std::flush;
        if (auto* given = std::get_if<people::AnswerDialog::Give>(&turn.action)) return {std::move(*given)};
        if (std::holds_alternative<people::AnswerDialog::Leave>(turn.action)) return {};
        if (const auto* edit = std::get_if<people::AnswerDialog::Edit>(&turn.action)) {
            screen::Edited edited = editor.edit(edit->text);
            turn = dialog.edited(std::move(edited.text), edited.problem);
            continue;
        }
        std::cout << std::get<people::AnswerDialog::Ask>(turn.action).prompt << std::flush;
        auto line = lines.read();
        if (!line) break;
        turn = dialog.line(*line);
    }
    std::cout << "\n";  // after the prompt
    return {std::nullopt, lines.signal_number()};
}

}  // namespace people
