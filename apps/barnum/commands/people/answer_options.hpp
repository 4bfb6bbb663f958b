// The options of `barnum answer`, and the answer that they give without a dialog.
#pragma once

#include "base/error.hpp"
#include "cli/option_table.hpp"
#include "people/answer_dialog.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace barnum {

struct AnswerOptions {
    std::string run;
    std::optional<std::size_t> task;
    std::vector<std::string> next;
    std::vector<std::string> values;  // of the tasks of `next`, in the same order
    std::optional<std::string> response;
    std::optional<std::string> reason;  // for rejecting the task
    std::string through;                // by which way the answer came; may be empty

    bool has_answer() const { return !next.empty() || !values.empty() || response || reason; }
};

const cli::OptionTable<AnswerOptions>& answer_option_table();

// Throws program_options::error if they contradict each other.
void check(const AnswerOptions& options);

// The answer of options that have one. Reads the files that they name.
base::Result<people::AnswerDialog::Give> answer_in(const AnswerOptions& options);

}  // namespace barnum
