#include "agents/transcript_lines.hpp"

#include "base/text.hpp"
#include "json/json.hpp"

#include <algorithm>

namespace agents {

namespace {

std::string_view name_of(TranscriptLines::Source source) {
    switch (source) {
        case TranscriptLines::Source::agent:
            return "agent";
        case TranscriptLines::Source::program:
            return "program";
        case TranscriptLines::Source::refusal:
            return "refusal";
        case TranscriptLines::Source::error_output:
            break;
    }
    return "stderr";
}

// Other JSON values are as useful as texts.
bool is_json(std::string_view line) {
    return (line.starts_with('{') || line.starts_with('[')) &&
           !json::check(line, json::Dialect::json, json::max_depth - 1);
}

// A part of a message of Claude Code, which is followed by the whole message, or a part of one of Codex.
bool repeats(std::string_view line) {
    return line.starts_with(R"({"type":"stream_event")") ||
           line.starts_with(R"({"method":"item/agentMessage/delta")");
}

}  // namespace

TranscriptLines::TranscriptLines(const std::shared_ptr<const output::Redaction>& redaction)
    : streams_{Stream{output::Redactor(redaction)}, Stream{output::Redactor(redaction)},
               Stream{output::Redactor(redaction)}, Stream{output::Redactor(redaction)}} {}

void TranscriptLines::add(Source source, std::string_view piece, Time now,
                          std::vector<TranscriptRecord>& out) {
    redacted_.clear();
    stream(source).redactor.add(piece, redacted_);
    split(source, redacted_, now, out);
}

void TranscriptLines::finish(Time now, std::vector<TranscriptRecord>& out) {
    for (Source source : {Source::agent, Source::program, Source::error_output, Source::refusal}) {
        redacted_.clear();
        stream(source).redactor.finish(redacted_);
        split(source, redacted_, now, out);
        end_line(source, now, out);
    }
}

void TranscriptLines::split(Source source, std::string_view text, Time now,
                            std::vector<TranscriptRecord>& out) {
    Stream& to = stream(source);
    while (!text.empty()) {
        std::size_t end = std::min(text.find('\n'), text.size());
        to.size += end;
        to.line += text.substr(0, std::min(end, longest_line - to.line.size()));
        if (end < text.size()) end_line(source, now, out);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

void TranscriptLines::end_line(Source source, Time now, std::vector<TranscriptRecord>& out) {
    Stream& from = stream(source);
    if (from.size > 0 && !repeats(from.line)) out.push_back(record_of(source, now, from));
    from.line.clear();
    from.size = 0;
}

TranscriptRecord TranscriptLines::record_of(Source source, Time now, const Stream& from) {
    const bool is_cut = from.size > from.line.size();
    std::string text =
        base::concat("{\"time\":", now.count(), ",\"from\":\"", name_of(source), "\",\"line\":");
    if (!is_cut && is_json(from.line))
        text += from.line;
    else
        json::append_quoted(text, from.line);
    if (is_cut) text += base::concat(",\"omitted_bytes\":", from.size - from.line.size());
    text += "}\n";
    return {std::move(text), from.size};
}

}  // namespace agents
