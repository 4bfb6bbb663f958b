#include "pool_protocol/kick_request.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "pool_protocol/fields.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace pool_protocol {

namespace {

using KickHow = KickedAgent::How;

constexpr std::array<std::pair<KickHow, std::string_view>, 4> names{{{KickHow::dismissed, "dismissed"},
                                                                     {KickHow::told, "told"},
                                                                     {KickHow::taken_from, "taken_from"},
                                                                     {KickHow::ending, "ending"}}};

std::optional<KickedAgent> kicked_agent_in(json::View object) {
    if (!object.is(json::Kind::object)) return std::nullopt;
    std::string how = text_in(object, "how");
    auto found =
        std::ranges::find(names, std::string_view(how), &std::pair<KickHow, std::string_view>::second);
    if (found == names.end()) return std::nullopt;
    return KickedAgent{text_in(object, "id"), on_one_line(text_in(object, "name")), found->first};
}

}  // namespace

std::string kick_request(std::string_view agent) {
    return base::concat("{\"kind\":\"Kick\",\"agent\":", json::quote(agent), "}");
}

// Called for every frame of a submitter: most must be rejected without parsing.
std::optional<std::string> parse_kick_request(std::string_view frame) {
    constexpr std::size_t longest = 2048;
    if (frame.size() > longest || frame.find("Kick") == std::string_view::npos || json::check(frame))
        return std::nullopt;
    json::View request = json::View::of(frame);
    if (!request.is(json::Kind::object) || text_in(request, "kind") != "Kick") return std::nullopt;
    return string_member(request, "agent");
}

std::string kick_answer(const std::vector<KickedAgent>& agents) {
    std::string out = "{\"kind\":\"Kicks\",\"agents\":[";
    for (const KickedAgent& agent : agents)
        out += base::concat(out.back() == '[' ? "" : ",", "{\"id\":", json::quote(agent.id),
                            ",\"name\":", json::quote(agent.name), ",\"how\":\"", how_name(agent.how), "\"}");
    return out + "]}";
}

base::Result<std::vector<KickedAgent>> parse_kick_answer(std::string_view text) {
    auto answer = parse_object(text, "the answer");
    if (answer.has_error()) return answer.error();
    auto list = answer->find("agents");
    if (text_in(*answer, "kind") != "Kicks" || !list || !list->is(json::Kind::array))
        return base::invalid("the daemon is of a version that cannot kick agents; restart it with this one");
    std::vector<KickedAgent> agents;
    for (json::View element : list->elements())
        if (auto agent = kicked_agent_in(element)) agents.push_back(std::move(*agent));
    return agents;
}

std::string_view how_name(KickHow how) {
    return std::ranges::find(names, how, &std::pair<KickHow, std::string_view>::first)->second;
}

}  // namespace pool_protocol
