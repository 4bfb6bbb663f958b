// Tasks as lines of text, as `--dry-run` and `--stub` print them.
#pragma once

#include "config/workflow_config.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace inspect {

// The width of the terminal on stdout; 100 if stdout is not a terminal.
std::size_t output_columns();

// The value on one line, cut to `columns` minus `taken` columns, but never to less than 20.
std::string short_value(std::string_view value, std::size_t columns, std::size_t taken);

// The phases of a task of the step: "pre → command → post, finally".
std::string phases(const config::Step& step);

// "1.5 s"
std::string seconds_text(std::chrono::duration<double> time);

// The local time: "09:15:34" if that is within half a day of now, else with the date.
std::string local_time_text(std::chrono::sys_time<std::chrono::milliseconds> time);

// "timeout 10 s, 2 retries"
std::string options_text(const config::StepOptions& options);

}  // namespace inspect
