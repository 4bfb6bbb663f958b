#include "mcp/revision.hpp"

#include <array>
#include <cstddef>

namespace mcp {

namespace {

constexpr std::array<std::string_view, 5> texts{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25",
                                                "2026-07-28"};

}  // namespace

std::string_view text_of(Revision revision) {
    return texts.at(static_cast<std::size_t>(revision));
}

std::optional<Revision> parse_revision(std::string_view text) {
    for (std::size_t i = 0; i < texts.size(); ++i)
        if (texts.at(i) == text) return static_cast<Revision>(i);
    return std::nullopt;
}

std::string_view stateless_revisions() {
    return R"(["2026-07-28"])";
}

}  // namespace mcp
