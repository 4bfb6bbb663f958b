#include "run_tools/logs.hpp"

#include "base/text.hpp"
#include "base/utc_text.hpp"
#include "json/json.hpp"
#include "mcp/excerpt.hpp"
#include "run_tools/results.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <optional>
#include <vector>

namespace run_tools {

using base::concat;
using json::quote;
using json::View;

namespace {

constexpr std::size_t longest_line = 2'000;

bool is_of(std::string_view line, std::string_view stream) {
    auto found = stream.empty() ? std::nullopt : View::of(line).find("stream");
    return !found || found->is_string(stream);
}

struct Kept {
    std::deque<std::string_view> lines;
    std::size_t earlier = 0;  // how many are not kept
};

Kept last_lines(std::string_view text, std::size_t most, std::string_view stream) {
    Kept kept;
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (line.empty() || !is_of(line, stream)) continue;
        kept.lines.push_back(line);
        if (kept.lines.size() <= most) continue;
        kept.lines.pop_front();
        ++kept.earlier;
    }
    return kept;
}

// The line as JSON, without what says where it is from.
std::string shown_line(View line) {
    if (auto omitted = line.find("omitted")) return quote(concat("[", omitted->text(), " bytes left out]"));
    auto encoded = line.find("base64");
    auto found = encoded ? encoded : line.find("text");
    std::string text = concat(encoded ? "[not UTF-8, in base64] " : "", found ? found->string() : "");
    std::string_view shown = mcp::excerpt(text, longest_line);
    if (shown.size() == text.size()) return quote(text);
    return quote(concat(shown, " [", base::counted(text.size() - shown.size(), "byte"), " left out]"));
}

struct Output {
    std::string source;  // members that name it
    std::string since;   // the time of its first line
    std::vector<std::string> lines;

    std::string json() const {
        std::string list;
        for (const std::string& line : lines)
            list += concat(list.empty() ? "" : ",", line);
        return concat("{", source, ",\"since\":", since, ",\"lines\":[", list, "]}");
    }
};

std::string source_of(View line) {
    std::string members;
    for (std::string_view name : {"task", "step", "attempt", "phase", "stream"})
        if (auto value = line.find(name))
            members += concat(members.empty() ? "" : ",", "\"", name, "\":", value->text());
    return members;
}

std::string time_of(View line) {
    auto time = line.find("time");
    auto milliseconds = std::chrono::milliseconds(time ? time->integer().value_or(0) : 0);
    return quote(base::utc_text(runs::Time(milliseconds)));
}

// The outputs in the order of their first lines.
std::vector<Output> outputs_of(const std::deque<std::string_view>& lines, std::size_t first) {
    std::vector<Output> outputs;
    for (std::size_t i = first; i < lines.size(); ++i) {
        View line = View::of(lines[i]);
        std::string source = source_of(line);
        auto found = std::ranges::find(outputs, source, &Output::source);
        if (found == outputs.end()) found = outputs.insert(found, {source, time_of(line), {}});
        found->lines.push_back(shown_line(line));
    }
    return outputs;
}

// The first line with which all fit, if each were an output of its own.
std::size_t first_shown(const std::deque<std::string_view>& lines) {
    constexpr std::size_t brackets = 64;  // around the lines of an output, with the time of the first
    std::size_t size = 0;
    std::size_t first = lines.size();
    std::string source_before;
    for (; first > 0; --first) {
        View line = View::of(lines[first - 1]);
        std::string source = source_of(line);
        size += shown_line(line).size() + 1;
        if (source != source_before) size += source.size() + brackets;
        if (size > mcp_room) break;
        source_before = std::move(source);
    }
    return first;
}

}  // namespace

std::string logs_result(std::string_view lines, std::size_t most, std::string_view stream) {
    Kept kept = last_lines(lines, most, stream);
    std::size_t first = first_shown(kept.lines);
    std::string list;
    for (const Output& output : outputs_of(kept.lines, first))
        list += concat(list.empty() ? "" : ",", output.json());
    return concat(R"({"kind":"Logs","outputs":[)", list, "],\"earlier_lines\":", kept.earlier + first, "}");
}

}  // namespace run_tools
