#include "agent_driver/mcp_servers.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "json/suggest.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace agent_driver {

namespace {

using json::Kind;
using json::View;

constexpr std::array<std::string_view, 6> members{"type", "command", "args", "env", "url", "headers"};

bool is_in_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

base::Result<std::string> text_of(View value, std::string_view member) {
    if (!value.is(Kind::string)) return base::invalid(base::concat(member, " must be a string"));
    return value.string();
}

base::Result<std::vector<std::string>> texts_of(View value, std::string_view member) {
    std::vector<std::string> out;
    bool are_texts = value.is(Kind::array);
    for (View element : are_texts ? value.elements() : std::vector<View>()) {
        are_texts = are_texts && element.is(Kind::string);
        if (are_texts) out.push_back(element.string());
    }
    if (!are_texts) return base::invalid(base::concat(member, " must be an array of strings"));
    return out;
}

base::Result<std::vector<Variable>> variables_of(View value, std::string_view member) {
    std::vector<Variable> out;
    bool are_texts = value.is(Kind::object);
    for (const json::Member& each : are_texts ? value.members() : std::vector<json::Member>()) {
        are_texts = are_texts && each.value.is(Kind::string);
        if (are_texts) out.push_back({each.key.string(), each.value.string()});
    }
    if (!are_texts) return base::invalid(base::concat(member, " must be an object of strings"));
    return out;
}

template<class Value>
base::Result<void> put(base::Result<Value> value, Value& place) {
    if (!value) return value.error();
    place = std::move(*value);
    return {};
}

base::Result<void> read_member(McpServer& server, const std::string& name, View value) {
    if (name == "command") return put(text_of(value, name), server.command);
    if (name == "args") return put(texts_of(value, name), server.arguments);
    if (name == "env") return put(variables_of(value, name), server.environment);
    if (name == "url") return put(text_of(value, name), server.url);
    if (name == "headers") return put(variables_of(value, name), server.headers);
    if (name != "type")
        return base::invalid(
            base::concat("unknown member ", json::quote(name), json::did_you_mean(name, members)));
    const bool is_known = value.is(Kind::string) && (value.string() == "stdio" || value.string() == "http");
    if (!is_known) return base::invalid("type must be \"stdio\" (with command) or \"http\" (with url)");
    return {};
}

base::Result<void> check_command(const McpServer& server) {
    if (server.command.find('/') != std::string::npos && !server.command.starts_with('/'))
        return base::invalid(
            base::concat("its command ", server.command,
                         " would be looked up in the directory of the task; give an absolute path"));
    return {};
}

base::Error of_server(const std::string& name, const base::Error& error) {
    return base::with_context(base::concat("the server ", json::quote(name)), error);
}

base::Result<McpServer> read_server(const std::string& name, View value) {
    if (name.empty() || !std::ranges::all_of(name, is_in_name))
        return base::invalid(base::concat(
            "the name of a server has letters, digits, '-' and '_' only, unlike ", json::quote(name)));
    if (!value.is(Kind::object)) return of_server(name, base::invalid("it must be an object"));
    McpServer server;
    server.name = name;
    for (const json::Member& member : value.members())
        if (auto read = read_member(server, member.key.string(), member.value); !read)
            return of_server(name, read.error());
    if (server.command.empty() == server.url.empty())
        return of_server(name, base::invalid("it must have either command or url"));
    return server;
}

// The end of what `begin`, just behind "${", begins.
std::size_t end_of(std::string_view text, std::size_t begin) {
    return std::min(text.find('}', begin), text.size());
}

base::Result<std::string> filled(
    const std::string& text, const std::function<std::optional<std::string>(const std::string&)>& value_of) {
    std::string out;
    std::size_t at = 0;
    for (std::size_t sign = 0; (sign = text.find("${", at)) != std::string::npos;) {
        out += text.substr(at, sign - at);
        const std::size_t end = end_of(text, sign + 2);
        const std::string inner = text.substr(sign + 2, end - sign - 2);
        const std::size_t preset = inner.find(":-");
        const std::string name = inner.substr(0, preset);
        auto value = value_of(name);
        if (!value && preset == std::string::npos)
            return base::invalid(base::concat("it needs the variable ", name,
                                              ", which the program would not have: set it, and if it holds a "
                                              "secret, name it in env"));
        out += value ? *value : inner.substr(preset + 2);
        at = std::min(end + 1, text.size());
    }
    return out + text.substr(at);
}

std::vector<std::string*> texts_in(McpServer& server) {
    std::vector<std::string*> out{&server.command, &server.url};
    for (std::string& text : server.arguments)
        out.push_back(&text);
    for (auto* variables : {&server.environment, &server.headers})
        for (Variable& variable : *variables)
            out.push_back(&variable.value);
    return out;
}

}  // namespace

base::Result<std::vector<McpServer>> parse_mcp_servers(std::string_view text) {
    auto file = json::checked(text);
    if (!file) {
        auto [line, column] = json::position(text, file.error().offset);
        return base::invalid(base::concat("line ", line, ", column ", column, ": ", file.error().message));
    }
    auto list = file->find("mcpServers");
    if (!list || !list->is(Kind::object))
        return base::invalid(
            "it must be an object with the member \"mcpServers\", an object of servers by their names");
    if (auto twice = json::duplicate_name(*list))
        return base::invalid(base::concat("it has the server ", json::quote(*twice), " twice"));
    std::vector<McpServer> servers;
    for (const json::Member& member : list->members()) {
        auto server = read_server(member.key.string(), member.value);
        if (!server) return server.error();
        servers.push_back(std::move(*server));
    }
    if (servers.empty()) return base::invalid("it has no server in \"mcpServers\"");
    return servers;
}

base::Result<void> fill_in_variables(
    std::vector<McpServer>& servers,
    const std::function<std::optional<std::string>(const std::string&)>& value_of) {
    for (McpServer& server : servers) {
        for (std::string* text : texts_in(server)) {
            auto value = filled(*text, value_of);
            if (!value) return of_server(server.name, value.error());
            *text = std::move(*value);
        }
        if (auto checked = check_command(server); !checked) return of_server(server.name, checked.error());
    }
    return {};
}

}  // namespace agent_driver
