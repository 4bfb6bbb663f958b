#include "report/page.hpp"

#include "base/base64.hpp"
#include "base/system_time.hpp"
#include "base/text.hpp"
#include "json/json.hpp"
#include "report/output.hpp"
#include "statelog/line_reader.hpp"
#include "trace/run_json.hpp"
#include "trace/sample.hpp"
#include "trace/task_json.hpp"
#include "version/program_version.hpp"
#include "web/deflate.hpp"
#include "web/report_page.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string_view>
#include <utility>

namespace report {

namespace {

// About as much is kept of values, responses and messages, if the log has more.
constexpr std::uint64_t text_room = std::uint64_t{48} << 20;  // bytes
constexpr std::size_t least_text = 512;                       // bytes of each
constexpr std::size_t most_text = std::size_t{1} << 20;

// How much of each value is contained.
std::size_t text_limit(const ReportedRun& reported, const trace::Sample& sample) {
    double part =
        static_cast<double>(sample.tasks) / static_cast<double>(std::max<std::size_t>(sample.of, 1));
    if (static_cast<double>(reported.log.bytes) * part <= static_cast<double>(text_room)) return most_text;
    return std::clamp(static_cast<std::size_t>(text_room / std::max<std::size_t>(sample.tasks, 1)),
                      least_text, most_text);
}

bool has_failed(const trace::Trace& trace, const trace::Attempt& attempt) {
    return attempt.completion != trace::absent && trace.completion(attempt.completion).reason != 0;
}

base::Result<ReportOutput> read_output(const ReportedRun& reported, const trace::Sample& sample) {
    const trace::Trace& trace = reported.log.trace;
    std::size_t failed = 0;
    for (trace::Row row : sample.rows)
        failed += has_failed(trace, trace.attempt(row)) ? 1 : 0;
    OutputLimits limits = output_limits(failed, sample.rows.size() - failed);
    ReportOutput output;
    for (trace::Row row : sample.rows) {
        trace::Attempt attempt = trace.attempt(row);
        output.want(attempt.id, has_failed(trace, attempt) ? limits.failed : limits.others);
    }
    if (reported.output_directory.empty()) return output;
    if (auto read = output.read(reported.output_directory); !read) return read.error();
    return output;
}

// The output of all attempts of a task: elements of an array.
std::string output_of(const trace::Trace& trace, ReportOutput& output, trace::Row last) {
    std::string lines;
    for (trace::Row row = trace.first_of(last); row != trace::absent; row = trace.attempt(row).next)
        lines += output.take(trace.attempt(row).id);
    if (!lines.empty()) lines.pop_back();
    return lines;
}

// A line of JSON for each task, compressed.
base::Result<std::string> details_of(const ReportedRun& reported, const trace::Sample& sample) {
    auto output = read_output(reported, sample);
    if (!output) return output.error();
    const trace::Trace& trace = reported.log.trace;
    statelog::LineReader lines(reported.log.fd.get(), trace.name());
    auto read_line = [&](std::uint64_t offset) { return lines.read(offset); };
    trace::TaskJsonOptions options;
    options.renumber = [&](trace::Row row) { return trace::number_among(sample.rows, row); };
    options.most_text = text_limit(reported, sample);
    web::Deflate compressed;
    for (trace::Row row : sample.rows) {
        if (trace.attempt(row).next != trace::absent) continue;
        std::string line;
        if (auto added = trace::append_task(line, trace, read_line, row, options); !added)
            return added.error();
        compressed.add(base::concat(line, ",\"output\":[", output_of(trace, *output, row), "]}\n"));
    }
    return compressed.finish();
}

std::string sample_json(const trace::Sample& sample) {
    if (sample.rule.empty()) return "null";
    return base::concat("{\"tasks\":", sample.tasks, ",\"of\":", sample.of,
                        ",\"rule\":", json::quote(sample.rule), "}");
}

// Nothing in the JSON may end the element in which it stands.
std::string without_markup(std::string_view json) {
    std::string out;
    for (char c : json) {
        if (c == '<')
            out += "\\u003c";
        else
            out += c;
    }
    return out;
}

}  // namespace

base::Result<void> write_report_page(const ReportedRun& reported, const WritePiece& write) {
    const trace::Trace& trace = reported.log.trace;
    trace::Sample sample = trace::sample_of(trace);
    auto details = details_of(reported, sample);
    if (!details) return details.error();
    std::string batch;
    trace.append_chosen(batch, sample.rows);
    std::string head = base::concat("{\"version\":", json::quote(version::program_version),
                                    ",\"written\":", base::system_time().time_since_epoch().count(),
                                    ",\"run\":", trace::run_json(trace, reported.run, reported.is_live),
                                    ",\"sums\":", trace::sums_json(trace),
                                    ",\"sample\":", sample_json(sample), ",\"questions\":[]");
    for (const std::string& piece : {web::report_head(base::concat(reported.title, " - Barnum")),
                                     without_markup(head), std::string(",\"trace\":\""),
                                     base::to_base64(web::deflated(batch)), std::string("\",\"details\":\""),
                                     base::to_base64(*details), std::string("\"}"), web::report_tail()})
        if (auto written = write(piece); !written) return written;
    return {};
}

}  // namespace report
