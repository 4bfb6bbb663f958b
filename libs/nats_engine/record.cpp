#include "nats_engine/record.hpp"

#include "base/text.hpp"
#include "nats_engine/name_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace nats_engine {

namespace {

using edge::EntryKind;
using edge::Outcome;
using json::LenientObject;
using json::ObjectWriter;

constexpr std::array kinds{
    std::pair{EntryKind::claimed, std::string_view("claimed")},
    std::pair{EntryKind::released, std::string_view("released")},
    std::pair{EntryKind::withdrawn, std::string_view("withdrawn")},
    std::pair{EntryKind::reopened, std::string_view("reopened")},
    std::pair{EntryKind::outcome, std::string_view("outcome")},
};

constexpr std::array outcomes{
    std::pair{Outcome::processed, std::string_view("processed")},
    std::pair{Outcome::timeout, std::string_view("timeout")},
    std::pair{Outcome::failed, std::string_view("failed")},
    std::pair{Outcome::lost, std::string_view("lost")},
    std::pair{Outcome::rejected, std::string_view("rejected")},
    std::pair{Outcome::stopped, std::string_view("stopped")},
    std::pair{Outcome::invalid, std::string_view("invalid")},
    std::pair{Outcome::agent_lost, std::string_view("agent_lost")},
};

std::optional<edge::Author> author_in(const LenientObject& said) {
    std::string edge = said.text("edge");
    auto nonce = parse_nonce(said.text("nonce"));
    if (edge.empty() || !nonce) return std::nullopt;
    return edge::Author{std::move(edge), *nonce};
}

int setback_count(const LenientObject& said, std::string_view name) {
    constexpr std::int64_t most = 1'000'000;
    return static_cast<int>(std::clamp<std::int64_t>(said.number(name), 0, most));
}

ObjectWriter& add_author(ObjectWriter& object, const edge::Author& author) {
    return object.text("edge", author.edge.text()).text("nonce", nonce_text(author.nonce));
}

// Takes the number off the text.
bool take_number(std::string_view& text, std::uint64_t& number) {
    auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc()) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

}  // namespace

std::string nonce_text(edge::Nonce nonce) {
    return base::concat(nonce.start, '-', nonce.number);
}

std::optional<edge::Nonce> parse_nonce(std::string_view text) {
    edge::Nonce nonce;
    if (!take_number(text, nonce.start) || !text.starts_with('-')) return std::nullopt;
    text.remove_prefix(1);
    if (!take_number(text, nonce.number) || !text.empty()) return std::nullopt;
    return nonce;
}

std::string record_payload(const edge::Entry& entry, std::string_view text) {
    ObjectWriter object;
    object.text("kind", name_in(kinds, entry.kind));
    add_author(object, entry.author);
    if (entry.owner) {
        ObjectWriter owner;
        object.raw("owner", add_author(owner, *entry.owner).done());
    }
    if (entry.setbacks.deaths > 0) object.number("deaths", entry.setbacks.deaths);
    if (entry.setbacks.failures > 0) object.number("failures", entry.setbacks.failures);
    if (entry.kind == EntryKind::outcome) object.text("outcome", name_in(outcomes, entry.outcome));
    return base::concat(object.done(), '\n', text);
}

std::optional<ReadRecord> parse_record(std::string_view payload) {
    std::size_t end = payload.find('\n');
    if (end == payload.npos) return std::nullopt;
    auto value = json::checked(payload.substr(0, end));
    if (!value || !value->is(json::Kind::object)) return std::nullopt;
    LenientObject said{*value};
    auto kind = value_in(kinds, said.text("kind"));
    auto author = author_in(said);
    if (!kind || !author) return std::nullopt;
    auto outcome = *kind == EntryKind::outcome ? value_in(outcomes, said.text("outcome")) : std::nullopt;
    if (*kind == EntryKind::outcome && !outcome) return std::nullopt;
    LenientObject owner = said.in("owner");
    ReadRecord read{edge::Entry{*kind, std::move(*author)}, std::string(payload.substr(end + 1))};
    if (owner.object) {
        read.entry.owner = author_in(owner);
        if (!read.entry.owner) return std::nullopt;
    }
    if (*kind == EntryKind::claimed && !read.entry.owner) return std::nullopt;
    if (*kind == EntryKind::released)
        read.entry.setbacks = {setback_count(said, "deaths"), setback_count(said, "failures")};
    if (outcome) read.entry.outcome = *outcome;
    return read;
}

}  // namespace nats_engine
