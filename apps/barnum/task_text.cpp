#include "task_text.hpp"

#include "base/text.hpp"
#include "terminal/size.hpp"
#include "terminal/width.hpp"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace barnum {

namespace {

constexpr std::size_t columns_of_a_file = 100;
constexpr std::size_t least_value = 20;

std::string seconds(std::chrono::duration<double> time) {
    char text[32];
    std::snprintf(text, sizeof text, "%g s", time.count());
    return text;
}

std::string retries(const config::StepOptions& options) {
    if (options.max_retries == 0) return "no retries";
    std::string text = options.max_retries == 1 ? "1 retry" : base::concat(options.max_retries, " retries");
    if (!options.retry_on_timeout) text += ", not on a timeout";
    if (!options.retry_on_invalid_response) text += ", not on an invalid response";
    if (options.retry_backoff)
        text += base::concat(", the first after ", seconds(options.retry_backoff->initial));
    return text;
}

}  // namespace

std::size_t output_columns() {
    return terminal::is_terminal(STDOUT_FILENO) ? terminal::size_of(STDOUT_FILENO).columns
                                                : columns_of_a_file;
}

std::string short_value(std::string_view value, std::size_t columns, std::size_t taken) {
    std::size_t left = columns > taken ? columns - taken : 0;
    // A long one is cut twice: printable() and cut() go through all of their text.
    constexpr std::size_t bytes_of_a_column = 64;
    left = std::max(left, least_value);
    bool is_long = value.size() > left * bytes_of_a_column;
    std::string text = terminal::printable(value.substr(0, is_long ? left * bytes_of_a_column : value.npos));
    return terminal::cut(text, left);
}

std::string phases(const config::Step& step) {
    std::string text = step.pre ? "pre → " : "";
    text += step.is_pool() ? "an agent of the pool" : "command";
    if (step.post) text += " → post";
    if (step.finally) text += ", finally";
    return text;
}

std::string options_text(const config::StepOptions& options) {
    std::string timeout =
        options.timeout ? base::concat("timeout ", seconds(*options.timeout)) : "no timeout";
    return base::concat(timeout, "; ", retries(options));
}

}  // namespace barnum
