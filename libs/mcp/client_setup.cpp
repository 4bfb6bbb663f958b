#include "mcp/client_setup.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "json/shown_word.hpp"
#include "mcp/toml_table.hpp"

#include <utility>

namespace mcp {

using base::concat;
using json::quote;
using json::View;

namespace {

constexpr std::pair<std::string_view, ClientKind> clients[] = {
    {"claude", ClientKind::claude}, {"codex", ClientKind::codex},   {"gemini", ClientKind::gemini},
    {"cursor", ClientKind::cursor}, {"vscode", ClientKind::vscode}, {"json", ClientKind::json}};

// In each of these a call may last longer than any call of a server of this project.
constexpr int codex_seconds = 60;
constexpr int gemini_milliseconds = 60'000;

std::string_view key_of(ClientKind client) {
    return client == ClientKind::vscode ? "servers" : "mcpServers";
}

std::vector<std::string> all_arguments(const ServerCommand& server) {
    std::vector<std::string> all = server.arguments;
    all.insert(all.end(), server.arguments_here.begin(), server.arguments_here.end());
    return all;
}

std::string list_of(const std::vector<std::string>& texts) {
    std::string list;
    for (const std::string& text : texts)
        list += concat(list.empty() ? "" : ", ", quote(text));
    return concat("[", list, "]");
}

// An object, whose lines begin with so many spaces, except for the first.
std::string entry_of(ClientKind client, const ServerCommand& server, std::string_view indent) {
    std::string begin = concat("\n", indent, "  ");
    std::string text = "{";
    if (client == ClientKind::vscode) text += concat(begin, "\"type\": \"stdio\",");
    text += concat(begin, "\"command\": ", quote(server.program), ",", begin,
                   "\"args\": ", list_of(all_arguments(server)));
    if (client == ClientKind::gemini)
        text += concat(",", begin, "\"timeout\": ", gemini_milliseconds, ",", begin, "\"trust\": true");
    return concat(text, "\n", indent, "}");
}

std::string member_of(ClientKind client, const ServerCommand& server) {
    return concat("\n    ", quote(server.name), ": ", entry_of(client, server, "    "));
}

TomlTable table_of(const ServerCommand& server) {
    return {"mcp_servers",
            server.name,
            {concat("command = ", quote(server.program)), concat("args = ", list_of(all_arguments(server))),
             concat("tool_timeout_sec = ", codex_seconds), "default_tools_approval_mode = \"approve\""}};
}

base::Error taken(std::string_view path, const ServerCommand& server) {
    return base::invalid(concat(path, " has another server ", quote(server.name),
                                " already; remove it there, or change it by hand"));
}

base::Result<std::string> with_section(const ServerCommand& server, std::string_view text,
                                       std::string_view path) {
    auto added = with_table(table_of(server), text, path);
    if (added.has_error()) return added.error();
    if (!*added) return taken(path, server);
    return std::move(**added);
}

// Puts `added` behind the brace of an object of the text.
std::string inserted(std::string_view text, View object, std::string_view added, std::string_view end) {
    auto at = static_cast<std::size_t>(object.text().data() - text.data()) + 1;
    return concat(text.substr(0, at), added, object.members().empty() ? end : ",", text.substr(at));
}

base::Result<std::string> with_member(ClientKind client, const ServerCommand& server, std::string_view text,
                                      std::string_view path) {
    auto root = json::parse(text, path, json::Dialect::jsonc);
    if (root.has_error()) return root.error();
    if (!root->is(json::Kind::object)) return base::invalid(concat(path, ": it must be an object"));
    auto servers = root->find(key_of(client));
    if (!servers)
        return inserted(text, *root,
                        concat("\n  ", quote(key_of(client)), ": {", member_of(client, server), "\n  }"),
                        "\n");
    if (!servers->is(json::Kind::object))
        return base::invalid(concat(path, ": ", quote(key_of(client)), " must be an object"));
    auto present = servers->find(server.name);
    if (!present) return inserted(text, *servers, member_of(client, server), "\n  ");
    std::string wanted = entry_of(client, server, "");
    if (json::compact(*present) == json::compact(View::of(wanted))) return std::string(text);
    return taken(path, server);
}

std::string words_of(const std::vector<std::string>& arguments) {
    std::string words;
    for (const std::string& argument : arguments)
        words += concat(" ", json::shown_word(argument));
    return words;
}

}  // namespace

std::optional<ClientKind> client_named(std::string_view name) {
    for (const auto& [known, client] : clients)
        if (known == name) return client;
    return std::nullopt;
}

std::optional<SettingsFile> settings_file(ClientKind client) {
    using Place = SettingsFile::Place;
    switch (client) {
        case ClientKind::claude:
            return SettingsFile{Place::project, ".mcp.json"};
        case ClientKind::codex:
            return SettingsFile{Place::codex_home, "config.toml"};
        case ClientKind::gemini:
            return SettingsFile{Place::gemini_home, "settings.json"};
        case ClientKind::cursor:
            return SettingsFile{Place::project, ".cursor/mcp.json"};
        case ClientKind::vscode:
            return SettingsFile{Place::project, ".vscode/mcp.json"};
        case ClientKind::json:
            break;
    }
    return std::nullopt;
}

std::string settings_of(ClientKind client, const ServerCommand& server) {
    if (client == ClientKind::codex) return section_of(table_of(server));
    return concat("{\n  ", quote(key_of(client)), ": {", member_of(client, server), "\n  }\n}\n");
}

base::Result<std::string> with_server(ClientKind client, const ServerCommand& server, std::string_view text,
                                      std::string_view path) {
    if (client == ClientKind::codex) return with_section(server, text, path);
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return settings_of(client, server);
    return with_member(client, server, text, path);
}

std::string other_ways(ClientKind client, const ServerCommand& server) {
    std::string program = json::shown_word(server.program);
    std::string arguments = words_of(all_arguments(server));
    if (client == ClientKind::claude)
        return concat("For all your projects instead of this one:\n  claude mcp add --scope user ",
                      server.name, " -- ", program, words_of(server.arguments), "\n");
    if (client == ClientKind::codex)
        return concat("Or, without the time limit and the leave to use its tools:\n  codex mcp add ",
                      server.name, " -- ", program, arguments, "\n");
    if (client == ClientKind::gemini)
        return concat("Or:\n  gemini mcp add --scope user --trust --timeout ", gemini_milliseconds, " ",
                      server.name, " ", program, " --", arguments, "\n");
    return "";
}

std::string what_follows(ClientKind client, const ServerCommand& server) {
    if (client == ClientKind::claude)
        return concat(
            "Claude Code asks once whether you approve of the server: start `claude` in this "
            "directory. Until then, `claude mcp list` shows it as pending.\nTo let its tools be "
            "used without a question, start Claude Code with:\n  claude --allowedTools mcp__",
            server.name, "\n");
    if (client == ClientKind::gemini)
        return "Gemini CLI starts its servers only in folders that you trust: start `gemini` in a folder and "
               "use `/permissions trust`. Until then, `gemini mcp list` shows the server as disabled.\n"
               "With \"trust\", its tools are used without a question. Without it, Gemini CLI asks, and a "
               "run without a terminal does not offer them.\n";
    return "";
}

}  // namespace mcp
