#include "pool_protocol/unmatched.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "pool_protocol/fields.hpp"

namespace pool_protocol {

namespace {

constexpr std::string_view unmatched_beginning = R"({"kind":"Unmatched",)";

}  // namespace

std::string to_json(const Unmatched& unmatched) {
    return base::concat(unmatched_beginning, "\"id\":", json::quote(unmatched.id),
                        ",\"missing\":", labels_array(unmatched.missing),
                        unmatched.away.empty() ? "" : base::concat(",\"away\":", json::quote(unmatched.away)),
                        "}");
}

// Called for every frame to a submitter: an answer may be long.
std::optional<Unmatched> parse_unmatched(std::string_view frame) {
    if (!frame.starts_with(unmatched_beginning) || json::check(frame)) return std::nullopt;
    json::View object = json::View::of(frame);
    auto id = string_member(object, "id");
    auto missing = labels_in(object.find("missing"));
    if (!id || missing.has_error()) return std::nullopt;
    return Unmatched{std::move(*id), std::move(*missing),
                     on_one_line(string_member(object, "away").value_or(""))};
}

std::string missing_text(const base::Labels& labels, const base::Labels& missing) {
    return missing.empty() ? "all of " + labels.description() : missing.description();
}

}  // namespace pool_protocol
