#include "agent_driver/acp.hpp"
#include "agent_driver/fields.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace agent_driver {

namespace {

bool is_reading(std::string_view tool_kind) {
    return tool_kind == "read" || tool_kind == "search" || tool_kind == "think";
}

bool is_allowed(std::string_view tool_kind, Permissions permissions) {
    if (is_reading(tool_kind)) return true;
    bool edits = tool_kind == "edit" || tool_kind == "delete" || tool_kind == "move";
    return edits && permissions == Permissions::edit;
}

// Programs, or git, take their own configuration from these: whoever works in the directory next would run
// what it names.
constexpr std::array<std::string_view, 8> configuration{".git",   ".gemini", ".agents",   ".claude",
                                                        ".codex", ".vscode", ".mcp.json", ".env"};

// The names in a path, of which ".." takes away the one before it.
std::vector<std::string> names_in(std::string_view path) {
    std::vector<std::string> out;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        const std::string_view name = path.substr(begin, end - begin);
        if (name == ".." && !out.empty()) out.pop_back();
        if (!name.empty() && name != "." && name != "..") out.emplace_back(name);
        begin = end + 1;
    }
    return out;
}

// The names below the directory; nothing if the path, which is absolute, is not in it.
std::optional<std::vector<std::string>> names_inside(const std::string& path, const std::string& directory) {
    std::vector<std::string> names = names_in(path);
    const std::vector<std::string> above = names_in(directory);
    auto [end, other] = std::ranges::mismatch(above, names);
    if (end != above.end()) return std::nullopt;
    return std::vector<std::string>(other, names.end());
}

bool is_configuration(const std::string& name) {
    return std::ranges::find(configuration, name) != configuration.end();
}

std::vector<std::string> paths_in(json::View params) {
    std::vector<std::string> out;
    for (std::string_view list : {"locations", "content"})
        for (json::View entry : elements_at(params, {"toolCall", list}))
            if (std::string path = string_at(entry, {"path"}); !path.empty()) out.push_back(std::move(path));
    return out;
}

// The id of the first option of one of these kinds, as JSON.
std::string_view option_of_kind(json::View params, std::string_view first, std::string_view second) {
    for (std::string_view kind : {first, second})
        for (json::View option : elements_at(params, {"options"}))
            if (auto id = option.find("optionId"); id && string_at(option, {"kind"}) == kind)
                return id->text();
    return "";
}

// Checks the path as it is written, and the place to which it leads: either may be outside, or be
// configuration.
bool is_within(const Settings& settings, bool reads, const std::string& path, const RealPath& real_path) {
    const std::string whole = path.starts_with('/') ? path : base::concat(settings.directory, "/", path);
    std::vector<std::string> places{whole};
    if (real_path) places.push_back(real_path(whole));
    return std::ranges::all_of(places, [&](const std::string& place) {
        auto names = names_inside(place, settings.directory);
        return names && (reads || std::ranges::none_of(*names, is_configuration));
    });
}

}  // namespace

bool allows(const Settings& settings, json::View params, const RealPath& real_path) {
    if (settings.permissions == Permissions::full) return true;
    const std::string kind = string_at(params, {"toolCall", "kind"});
    const std::vector<std::string> paths = paths_in(params);
    return is_allowed(kind, settings.permissions) && std::ranges::all_of(paths, [&](const std::string& path) {
               return is_within(settings, is_reading(kind), path, real_path);
           });
}

std::string permission_answer(json::View params, bool allowed) {
    std::string_view option = allowed ? option_of_kind(params, "allow_once", "allow_always")
                                      : option_of_kind(params, "reject_once", "reject_always");
    if (option.empty()) return R"({"outcome":{"outcome":"cancelled"}})";
    return base::concat(R"({"outcome":{"outcome":"selected","optionId":)", option, "}}");
}

}  // namespace agent_driver
