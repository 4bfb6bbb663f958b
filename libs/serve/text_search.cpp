#include "serve/text_search.hpp"

#include "json/json.hpp"
#include "statelog/record.hpp"

#include <algorithm>
#include <variant>

namespace serve {

namespace {

constexpr char folded(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string escaped(std::string_view text) {
    std::string quoted = json::quote(text);
    return quoted.substr(1, quoted.size() - 2);
}

}  // namespace

// Horspool's search.
Needle::Needle(std::string_view text) {
    folded_.resize(text.size());
    std::ranges::transform(text, folded_.begin(), folded);
    shift_.fill(folded_.size());
    for (std::size_t i = 0; i + 1 < folded_.size(); ++i) {
        auto byte = static_cast<unsigned char>(folded_[i]);
        shift_.at(byte) = folded_.size() - 1 - i;
        if (byte >= 'a' && byte <= 'z') shift_.at(byte - 'a' + 'A') = shift_.at(byte);
    }
}

bool Needle::is_in(std::string_view text) const {
    const std::size_t size = folded_.size();
    for (std::size_t at = size; at <= text.size();) {
        std::string_view here = text.substr(at - size, size);
        if (folded(here.back()) == folded_.back() && std::ranges::equal(here, folded_, {}, folded))
            return true;
        at += shift_[static_cast<unsigned char>(here.back())];
    }
    return false;
}

EntrySearch::EntrySearch(std::string_view text) : plain_(text), escaped_(escaped(text)) {}

bool EntrySearch::is_in_json(std::string_view json) const {
    return plain_.is_in(json) || escaped_.is_in(json);
}

// Most lines do not have the text anywhere, and need not be taken apart.
bool EntrySearch::is_in(std::string_view line, const config::WorkflowConfig& config) const {
    if (!is_in_json(line)) return false;
    auto record = statelog::read_record(config, line);
    if (!record) return false;
    if (const auto* submitted = std::get_if<workflow::TaskSubmitted>(&record->entry))
        return is_in_json(*submitted->value);
    const auto& completed = std::get<workflow::TaskCompleted>(record->entry);
    const auto* failed = std::get_if<workflow::Failed>(&completed.outcome);
    if (failed == nullptr) return false;
    const workflow::Failure& failure = failed->failure();
    return plain_.is_in(failure.message) || (failure.response && plain_.is_in(*failure.response));
}

}  // namespace serve
