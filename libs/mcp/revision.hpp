// The revisions of the Model Context Protocol that the server speaks, and how they differ for it. Pure.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace mcp {

// The revisions in the order of their dates.
enum class Revision { r2024_11_05, r2025_03_26, r2025_06_18, r2025_11_25, r2026_07_28 };

std::string_view text_of(Revision revision);
std::optional<Revision> parse_revision(std::string_view text);

// The newest one that begins with `initialize`.
inline constexpr Revision newest_with_handshake = Revision::r2025_11_25;

// Whether each request says all that the server must know of its client, instead of a handshake.
inline bool is_stateless(Revision revision) {
    return revision > newest_with_handshake;
}
// Whether a message may be an array of messages.
inline bool has_batches(Revision revision) {
    return revision == Revision::r2025_03_26;
}
// Whether there are structured results, links to resources and titles.
inline bool has_structure(Revision revision) {
    return revision >= Revision::r2025_06_18;
}
// Newest first, as a JSON array of strings.
std::string_view stateless_revisions();

}  // namespace mcp
