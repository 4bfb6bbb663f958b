// Tasks on lines for a person, as `--dry-run` and `--stub` print them.
#pragma once

#include "config/workflow_config.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace barnum {

// Of stdout: the terminal's width, 100 if it is none.
std::size_t output_columns();

// The value on one line, cut to what is left of `columns` beside `taken` others, but never to less than 20.
std::string short_value(std::string_view value, std::size_t columns, std::size_t taken);

// What a task of the step goes through and by which options: "pre → command → post, finally; timeout 10 s, 2
// retries".
std::string phases(const config::Step& step);
std::string options_text(const config::StepOptions& options);

}  // namespace barnum
