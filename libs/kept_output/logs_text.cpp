#include "kept_output/logs_text.hpp"

#include "base/base64.hpp"
#include "base/text.hpp"
#include "base/utc_text.hpp"
#include "json/json.hpp"
#include "terminal/color.hpp"
#include "terminal/width.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace kept_output {

namespace {

terminal::Style style_of(const output::Source& source) {
    using terminal::Style;
    constexpr std::array styles{Style::cyan, Style::yellow, Style::green, Style::blue, Style::red};
    return styles.at(source.task % styles.size());
}

std::string content(const output::Line& line, terminal::Colors colors) {
    if (line.omitted > 0) return base::concat("[", base::counted(line.omitted, "byte"), " left out]");
    return terminal::without_escapes(line.text, colors);
}

}  // namespace

std::string json_line(const output::Source& source, const output::Line& line) {
    std::string text =
        base::concat("{\"time\":", line.time.time_since_epoch().count(), ",\"task\":", source.task,
                     ",\"step\":", json::quote(source.step), ",\"attempt\":", source.attempt,
                     ",\"phase\":", json::quote(source.phase), ",\"stream\":\"",
                     line.stream == output::Stream::out ? "stdout" : "stderr", "\"");
    if (line.omitted > 0)
        text += base::concat(",\"omitted\":", line.omitted);
    else if (json::invalid_utf8(line.text))
        text += base::concat(",\"base64\":\"", base::to_base64(line.text), "\"");
    else
        text += base::concat(",\"text\":", json::quote(line.text));
    return text + "}\n";
}

std::string LogsText::line(const output::Source& source, const output::Line& line) {
    std::string name = base::concat(terminal::printable(source.step), " ", source.task);
    widest_ = std::max(widest_, terminal::width(name));
    std::string prefix = base::concat(terminal::pad_right(name, widest_), " |");
    return base::concat(
        terminal::paint(prefix, style_of(source), format_.has_colors), " ",
        format_.has_times ? base::utc_text(line.time) + " " : "",
        content(line, format_.has_colors ? terminal::Colors::kept : terminal::Colors::removed), "\n");
}

}  // namespace kept_output
