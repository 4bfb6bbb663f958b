#include "report/output.hpp"

#include "base/text.hpp"
#include "base/text_parts.hpp"
#include "json/json.hpp"
#include "kept_output/logs_reader.hpp"

#include <algorithm>
#include <string_view>

namespace report {

namespace {

// The most that is kept of all attempts that have failed, and of all others.
constexpr std::size_t room = std::size_t{16} << 20;  // bytes
constexpr std::size_t most_of_failed = std::size_t{16} << 10;
constexpr std::size_t most_of_others = std::size_t{4} << 10;

std::string_view stream_name(output::Stream stream) {
    return stream == output::Stream::out ? "out" : "err";
}

// What a line counts besides its text, so that empty ones are not for nothing.
constexpr std::size_t line_size = 16;  // bytes

std::string omitted_json(std::uint64_t bytes) {
    return base::concat("\"omitted\":", bytes, "},");
}

}  // namespace

OutputLimits output_limits(std::size_t failed, std::size_t others) {
    return {std::min(most_of_failed, room / std::max<std::size_t>(failed, 1)),
            std::min(most_of_others, room / std::max<std::size_t>(others, 1))};
}

base::Result<void> ReportOutput::read(const std::string& directory) {
    kept_output::LogsReader reader(
        directory, [this](const output::Source& source) { return attempts_.contains(source.task); });
    output::Lines lines([&](const output::Line& line) { add(reader.source(line.source), line); });
    auto read = reader.read(
        [&](const output::Source& /*source*/, const output::Record& record) { lines.add(record); });
    lines.finish();
    return read;
}

ReportOutput::Item ReportOutput::item_of(const output::Source& source, const output::Line& line,
                                         std::size_t most) {
    Item item;
    item.prefix = base::concat("{\"attempt\":", source.attempt, ",\"phase\":", json::quote(source.phase),
                               ",\"stream\":\"", stream_name(line.stream), "\",");
    item.bytes = line.omitted > 0 ? line.omitted : line.text.size() + 1;
    std::string_view text = base::cut_to(line.text, most);
    item.size = line_size + text.size();
    if (line.omitted > 0) {
        item.rest = omitted_json(line.omitted);
        return item;
    }
    item.rest = base::concat("\"time\":", line.time.time_since_epoch().count(),
                             ",\"text\":", json::quote(text), "},");
    if (text.size() < line.text.size())
        item.rest += item.prefix + omitted_json(line.text.size() - text.size());
    return item;
}

void ReportOutput::add(const output::Source& source, const output::Line& line) {
    Kept& kept = attempts_.at(source.task);
    const std::size_t half = kept.limit / 2;
    Item item = item_of(source, line, half);
    if (kept.end.empty() && kept.begin_size + item.size <= half) {
        kept.begin += item.prefix + item.rest;
        kept.begin_size += item.size;
        return;
    }
    kept.end_size += item.size;
    kept.end.push_back(std::move(item));
    while (kept.end_size > half && kept.end.size() > 1) {
        if (kept.left_out == 0) kept.left_out_prefix = std::move(kept.end.front().prefix);
        kept.left_out += kept.end.front().bytes;
        kept.end_size -= kept.end.front().size;
        kept.end.pop_front();
    }
}

std::string ReportOutput::take(std::uint64_t attempt) {
    auto found = attempts_.find(attempt);
    if (found == attempts_.end()) return {};
    const Kept& kept = found->second;
    std::string lines = kept.begin;
    if (kept.left_out > 0) lines += kept.left_out_prefix + omitted_json(kept.left_out);
    for (const Item& item : kept.end)
        lines += item.prefix + item.rest;
    attempts_.erase(found);
    return lines;
}

}  // namespace report
