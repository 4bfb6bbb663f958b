#include "workflow/feedback.hpp"

#include "base/character.hpp"
#include "base/markdown.hpp"
#include "base/text.hpp"
#include "base/text_parts.hpp"
#include "json/json.hpp"

#include <utility>

namespace workflow {

namespace {

constexpr std::string_view section_begin =
    "\n\n## Previous Attempts\n\nThis task was attempted before, without success. Find out what went wrong, "
    "and do not make the same mistake again.";

constexpr std::size_t room_for_note = 64;
constexpr std::size_t most_skipped = 1024;  // at the beginning of the end, to begin with a whole line

std::string valid_utf8(std::string_view text) {
    if (!json::invalid_utf8(text)) return std::string(text);
    return json::View::of(json::quote(text)).string();
}

// The end of a text that was cut.
struct End {
    std::string_view text;
    bool is_within_line;
};

// The end of the text, at most `bytes` long. It begins with a line if there is one near.
End end_of(std::string_view text, std::size_t bytes) {
    text.remove_prefix(text.size() - bytes);
    std::size_t newline = text.find('\n');
    if (newline < most_skipped) return {text.substr(newline + 1), false};
    while (!text.empty() && base::continues_character(text.front()))
        text.remove_prefix(1);
    return {text, true};
}

std::string quote_or_null(const std::optional<std::string>& text) {
    return text ? json::quote(*text) : "null";
}

}  // namespace

std::string feedback_text(std::string_view text) {
    std::string valid = valid_utf8(text.substr(0, text.find_last_not_of(" \t\r\n") + 1));
    if (valid.size() <= most_feedback) return valid;
    constexpr std::size_t half = (most_feedback - room_for_note) / 2;
    std::string_view begin = base::cut_to(valid, half);
    End end = end_of(valid, half);
    std::size_t left_out = valid.size() - begin.size() - end.text.size();
    return base::concat(begin, "… [", left_out, " bytes are left out here]\n", end.is_within_line ? "…" : "",
                        end.text);
}

PreviousAttempts with_attempt(const PreviousAttempts& before, PreviousAttempt last) {
    std::vector<PreviousAttempt> attempts;
    if (before) {
        std::size_t dropped = before->size() < previous_attempts_kept ? 0 : 1;
        attempts.assign(before->begin() + static_cast<std::ptrdiff_t>(dropped), before->end());
    }
    last.error = feedback_text(last.error);
    if (last.response) last.response = feedback_text(*last.response);
    attempts.push_back(std::move(last));
    return std::make_shared<const std::vector<PreviousAttempt>>(std::move(attempts));
}

std::string to_json(const std::vector<PreviousAttempt>& attempts) {
    std::string out = "[";
    for (const PreviousAttempt& attempt : attempts)
        out +=
            base::concat(out.size() > 1 ? "," : "", R"({"attempt":)", attempt.attempt, R"(,"error":)",
                         json::quote(attempt.error), R"(,"response":)", quote_or_null(attempt.response), '}');
    return out + "]";
}

std::string feedback_section(const std::vector<PreviousAttempt>& attempts) {
    std::string out(section_begin);
    for (const PreviousAttempt& attempt : attempts) {
        out += base::concat("\n\n### Attempt ", attempt.attempt, "\n\nIt failed:\n\n",
                            base::code_block("text", attempt.error));
        if (attempt.response && !attempt.response->empty())
            out += base::concat("\n\nIts response was:\n\n", base::code_block("text", *attempt.response));
    }
    return out;
}

}  // namespace workflow
