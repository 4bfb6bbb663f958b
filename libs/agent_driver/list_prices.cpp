#include "agent_driver/list_prices.hpp"

#include "agent_driver/settings.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace agent_driver {

namespace {

// The standard prices of https://developers.openai.com/api/docs/pricing and
// https://ai.google.dev/gemini-api/docs/pricing for short contexts, as they are in
// https://github.com/pydantic/genai-prices at the commit 47df840a of 2026-08-21. Later models are not in the
// list.
constexpr std::array openai{
    ListPrice{"gpt-5", "2026-08-21", {1.25, 0.125, 10}},
    ListPrice{"gpt-5-codex", "2026-08-21", {1.25, 0.125, 10}},
    ListPrice{"gpt-5-mini", "2026-08-21", {0.25, 0.025, 2}},
    ListPrice{"gpt-5-nano", "2026-08-21", {0.05, 0.005, 0.4}},
    ListPrice{"gpt-5.1", "2026-08-21", {1.25, 0.125, 10}},
    ListPrice{"gpt-5.1-codex", "2026-08-21", {1.25, 0.125, 10}},
    ListPrice{"gpt-5.1-codex-max", "2026-08-21", {1.25, 0.125, 10}},
    ListPrice{"gpt-5.1-codex-mini", "2026-08-21", {0.25, 0.025, 2}},
    ListPrice{"gpt-5.2", "2026-08-21", {1.75, 0.175, 14}},
    ListPrice{"gpt-5.2-codex", "2026-08-21", {1.75, 0.175, 14}},
    ListPrice{"gpt-5.3-codex", "2026-08-21", {1.75, 0.175, 14}},
    ListPrice{"gpt-5.4", "2026-08-21", {2.5, 0.25, 15}},
    ListPrice{"gpt-5.4-mini", "2026-08-21", {0.75, 0.075, 4.5}},
    ListPrice{"gpt-5.4-nano", "2026-08-21", {0.2, 0.02, 1.25}},
    ListPrice{"gpt-5.5", "2026-08-21", {5, 0.5, 30}},
    ListPrice{"gpt-5.6", "2026-08-21", {5, 0.5, 30}},
    ListPrice{"gpt-5.6-luna", "2026-08-21", {0.2, 0.02, 1.2}},
    ListPrice{"gpt-5.6-sol", "2026-08-21", {5, 0.5, 30}},
    ListPrice{"gpt-5.6-terra", "2026-08-21", {2, 0.2, 12}},
};

constexpr std::array google{
    ListPrice{"gemini-2.5-flash", "2026-08-21", {0.3, 0.03, 2.5}},
    ListPrice{"gemini-2.5-flash-lite", "2026-08-21", {0.1, 0.01, 0.4}},
    ListPrice{"gemini-2.5-pro", "2026-08-21", {1.25, 0.125, 10}},
    ListPrice{"gemini-3-flash-preview", "2026-08-21", {0.5, 0.05, 3}},
    ListPrice{"gemini-3-pro-preview", "2026-08-21", {2, 0.2, 12}},
    ListPrice{"gemini-3.1-flash-lite", "2026-08-21", {0.25, 0.025, 1.5}},
    ListPrice{"gemini-3.1-pro-preview", "2026-08-21", {2, 0.2, 12}},
    ListPrice{"gemini-3.1-pro-preview-customtools", "2026-08-21", {2, 0.2, 12}},
    ListPrice{"gemini-3.5-flash", "2026-08-21", {1.5, 0.15, 9}},
    ListPrice{"gemini-3.5-flash-lite", "2026-08-21", {0.3, 0.03, 2.5}},
    ListPrice{"gemini-3.6-flash", "2026-08-21", {0.75, 0.075, 3.75}},
    ListPrice{"gemini-3.7-flash", "2026-08-21", {0.75, 0.075, 3.75}},
};

// The providers add the date of a version: "gpt-5.5-2026-04-23".
bool is_version_of(std::string_view name, std::string_view model) {
    if (!name.starts_with(model)) return false;
    name.remove_prefix(model.size());
    return name.empty() || name.starts_with("-20");
}

std::span<const ListPrice> list_of(AgentKind kind) {
    if (kind == AgentKind::codex) return openai;
    if (kind == AgentKind::gemini) return google;
    return {};
}

}  // namespace

const ListPrice* list_price(AgentKind kind, std::string_view model) {
    const std::span<const ListPrice> list = list_of(kind);
    auto found =
        std::ranges::find_if(list, [&](const ListPrice& price) { return is_version_of(model, price.model); });
    return found == list.end() ? nullptr : &*found;
}

}  // namespace agent_driver
