#include "replay.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "source_dir.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

namespace replay {

namespace {

using namespace agent_driver;

std::string usd(const Usage& usage) {
    if (!usage.usd) return "-";
    std::ostringstream out;
    out << *usage.usd;
    return out.str();
}

std::string text_of(const Action& action) {
    if (const auto* session = std::get_if<Session>(&action))
        return base::concat("session ", session->id, " ", session->model);
    if (const auto* activity = std::get_if<Activity>(&action))
        return base::concat("activity ", activity->turn, " ", activity->text);
    if (const auto* usage = std::get_if<Usage>(&action))
        return base::concat("usage ", usage->input, " ", usage->cached, " ", usage->output, " ", usd(*usage));
    if (const auto* denied = std::get_if<Denied>(&action))
        return base::concat("denied ", denied->tool, " (", denied->by, ")");
    if (const auto* answer = std::get_if<Answer>(&action)) return base::concat("answer ", answer->text);
    if (const auto* failure = std::get_if<Failure>(&action))
        return base::concat("failure ", failure_name(failure->kind), " ",
                            failure->until ? std::to_string(failure->until->time_since_epoch().count()) : "-",
                            failure->wait ? base::concat("+", failure->wait->count()) : "", ": ",
                            failure->message);
    return "send";
}

void append(std::vector<std::string>& out, const Actions& actions) {
    for (const std::string& text : described(actions))
        out.push_back(text);
}

}  // namespace

std::vector<std::string> recording(std::string_view name) {
    std::ifstream file(source_dir() / "test/unit/agent_driver/recorded" / base::concat(name, ".jsonl"));
    INFO(name);
    REQUIRE(file.good());
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        lines.push_back(line);
    return lines;
}

Settings settings(AgentKind kind) {
    Settings settings;
    settings.kind = kind;
    settings.directory = "/project";
    if (kind == AgentKind::acp) settings.command = "agent";
    return settings;
}

Prompt prompt() {
    return {"Count to one.", R"({"n":1})", {}};
}

std::vector<std::string> described(const Actions& actions) {
    std::vector<std::string> out;
    for (const Action& action : actions)
        out.push_back(text_of(action));
    return out;
}

Actions feed(Conversation& conversation, std::string_view line, Time now) {
    json::View record = json::View::of(line);
    if (auto from = record.find("from")) return conversation.stdout_line(from->text(), now);
    if (auto text = record.find("text")) return conversation.stdout_line(text->string(), now);
    if (auto errors = record.find("repair")) return conversation.repair(errors->string(), now);
    if (record.find("interrupt")) return conversation.interrupt();
    auto number = [&](std::string_view name) {
        return static_cast<int>(record.find(name)->integer().value());
    };
    return conversation.exited({number("exit"), number("signal")});
}

std::vector<std::string> played(AgentKind kind, std::string_view name) {
    Conversation conversation(settings(kind), prompt());
    conversation.launch({});
    std::vector<std::string> out;
    for (const std::string& line : recording(name))
        append(out, feed(conversation, line));
    return out;
}

std::vector<std::string> played_lines(AgentKind kind, const std::vector<std::string>& lines) {
    Conversation conversation(settings(kind), prompt());
    conversation.launch({});
    std::vector<std::string> out;
    for (const std::string& line : lines)
        append(out, conversation.stdout_line(line, {}));
    return out;
}

}  // namespace replay
