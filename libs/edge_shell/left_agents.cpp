#include "edge_shell/left_agents.hpp"

#include "base/text.hpp"
#include "json/json.hpp"

#include <algorithm>

namespace edge_shell {

namespace {

constexpr std::string_view beginning = "{\"left\":[";

}  // namespace

bool add_left(LeftAgents& list, const LeftAgents& more) {
    bool is_changed = false;
    for (const std::string& frame : more) {
        if (std::ranges::find(list, frame) != list.end()) continue;
        list.push_back(frame);
        is_changed = true;
    }
    if (list.size() > most_left_agents)
        list.erase(list.begin(), list.end() - static_cast<std::ptrdiff_t>(most_left_agents));
    return is_changed;
}

std::string with_left(std::string text, const LeftAgents& left, std::size_t max_bytes) {
    if (left.empty()) return text;
    std::string all(beginning);
    for (const std::string& frame : left)
        all.append(all.size() == beginning.size() ? "" : ",").append(frame);
    all += text.empty() ? "]}" : base::concat("],", std::string_view(text).substr(1));
    return all.size() > max_bytes ? std::move(text) : std::move(all);
}

LeftAgents left_in(std::string_view text) {
    if (!text.starts_with(beginning)) return {};
    auto object = json::checked(text);
    auto left = object ? object->find("left") : std::nullopt;
    LeftAgents frames;
    if (!left || !left->is(json::Kind::array)) return frames;
    for (json::View frame : left->elements())
        if (frame.is(json::Kind::object)) frames.emplace_back(frame.text());
    return frames;
}

}  // namespace edge_shell
