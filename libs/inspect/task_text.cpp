#include "inspect/task_text.hpp"

#include "base/system_time.hpp"
#include "base/text.hpp"
#include "config/pool_step.hpp"
#include "json/json.hpp"
#include "terminal/size.hpp"
#include "terminal/units.hpp"
#include "terminal/width.hpp"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace inspect {

namespace {

constexpr std::size_t columns_of_a_file = 100;
constexpr std::size_t least_value = 20;

std::string retries(const config::StepOptions& options) {
    if (options.max_retries == 0) return "no retries";
    std::string text = options.max_retries == 1 ? "1 retry" : base::concat(options.max_retries, " retries");
    if (!options.retry_on_timeout) text += ", not on a timeout";
    if (!options.retry_on_invalid_response) text += ", not on an invalid response";
    if (options.retry_backoff)
        text += base::concat(", the first after ", seconds_text(options.retry_backoff->initial));
    if (!options.retry_feedback) text += ", without feedback";
    return text;
}

// "" if the options say nothing of it.
std::string order(const config::StepOptions& options) {
    std::string text;
    if (options.max_concurrency) text += base::concat("; at most ", *options.max_concurrency, " at once");
    if (options.priority != 0) text += base::concat("; priority ", options.priority);
    if (options.serial_key) text += base::concat("; serial key ", json::quote(options.serial_key->pointer));
    return text;
}

}  // namespace

std::string seconds_text(std::chrono::duration<double> time) {
    char text[32];
    std::snprintf(text, sizeof text, "%g s", time.count());
    return text;
}

std::string local_time_text(std::chrono::sys_time<std::chrono::milliseconds> time) {
    auto now = base::system_time();
    return terminal::time_text(time.time_since_epoch(), now.time_since_epoch());
}

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
    if (step.is_pool())
        text += (config::command_of(step) != nullptr ? "command by " : "") + config::agent_text(step);
    else
        text += step.is_human() ? "a person" : "command";
    if (step.post) text += " → post";
    if (step.finally) text += ", finally";
    if (step.gather) text += ", gather";
    return text;
}

std::string options_text(const config::StepOptions& options) {
    std::string timeout =
        options.timeout ? base::concat("timeout ", seconds_text(*options.timeout)) : "no timeout";
    return base::concat(timeout, "; ", retries(options), options.lenient_response ? "; lenient response" : "",
                        order(options));
}

}  // namespace inspect
