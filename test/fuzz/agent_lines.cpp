#include "agent_lines.hpp"

#include "agent_driver/conversation.hpp"
#include "agent_driver/last_array.hpp"
#include "fuzz.hpp"
#include "json/json.hpp"

#include <algorithm>

namespace fuzz {

namespace {

using namespace agent_driver;

constexpr std::string_view schema =
    R"({"type":"array","items":{"type":"object","additionalProperties":false,"required":[],"properties":{}}})";

enum class End { none, answer, failure };

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20;
}

void check_sent(const std::string& line) {
    must(!json::check(line), "what is sent is JSON");
    must(std::ranges::none_of(line, is_control), "what is sent is one line");
}

End check_action(const Action& action) {
    if (const auto* send = std::get_if<Send>(&action)) check_sent(send->line);
    if (const auto* activity = std::get_if<Activity>(&action)) {
        must(std::ranges::none_of(activity->text, is_control), "an activity is one line");
        must(activity->text.size() < 200 && !json::invalid_utf8(activity->text), "an activity can be shown");
        must(activity->turn > 0, "an activity belongs to a turn");
    }
    if (const auto* denied = std::get_if<Denied>(&action))
        must(std::ranges::none_of(denied->tool, is_control), "a denied tool is named on one line");
    if (std::holds_alternative<Answer>(action)) return End::answer;
    return std::holds_alternative<Failure>(action) ? End::failure : End::none;
}

End check_actions(const Actions& actions) {
    End end = End::none;
    for (const Action& action : actions) {
        must(end == End::none, "nothing follows an answer or a failure");
        end = check_action(action);
    }
    return end;
}

// Feeds the lines until the conversation is over; each answer is repaired.
void run(Conversation& conversation, std::string_view input) {
    End end = End::none;
    while (!input.empty() && end != End::failure) {
        std::size_t newline = std::min(input.find('\n'), input.size());
        end = check_actions(conversation.stdout_line(input.substr(0, newline), {}));
        input.remove_prefix(std::min(newline + 1, input.size()));
        if (end == End::answer && !input.empty()) end = check_actions(conversation.repair("wrong", {}));
    }
    End last = check_actions(conversation.exited({}));
    must((last == End::failure) == (end == End::none), "a conversation ends exactly once");
    must(!conversation.deadline() && conversation.repair("wrong", {}).empty() == (end != End::answer),
         "only an answer can be repaired");
}

void check_last_array(std::string_view text) {
    auto array = last_array(text);
    if (!array) return;
    auto value = json::checked(*array);
    must(value && value->is(json::Kind::array), "a response is an array");
    must(last_array(*array) == array || !value->elements().empty(), "a response is found again");
}

}  // namespace

void check_agent_lines(AgentKind kind, std::string_view input) {
    Settings settings;
    settings.kind = kind;
    settings.directory = "/project";
    Prompt prompt{"Do it.", "{}", {}};
    if (input.size() % 2 == 1) prompt.response_schema = schema;
    Conversation conversation(settings, prompt);
    for (const std::string& line : conversation.launch({}).lines)
        check_sent(line);
    run(conversation, input);
    check_last_array(input);
}

}  // namespace fuzz
