#include "agent_driver/acp_servers.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "json/object_writer.hpp"

#include <algorithm>

namespace agent_driver {

namespace {

std::string variable_list(const std::vector<Variable>& variables) {
    std::string out = "[";
    for (const Variable& variable : variables)
        out += base::concat(
            out.size() == 1 ? "" : ",",
            json::ObjectWriter().text("name", variable.name).text("value", variable.value).done());
    return out + "]";
}

std::string server_text(const McpServer& server) {
    json::ObjectWriter out;
    out.text("name", server.name);
    if (server.url.empty())
        out.text("command", server.command)
            .raw("args", json::quoted_list(server.arguments))
            .raw("env", variable_list(server.environment));
    else
        out.text("type", "http").text("url", server.url).raw("headers", variable_list(server.headers));
    return out.done();
}

}  // namespace

std::string acp_servers(const std::vector<McpServer>& servers) {
    std::string out = R"("mcpServers":[)";
    for (const McpServer& server : servers)
        out += base::concat(out.ends_with('[') ? "" : ",", server_text(server));
    return out + "]";
}

bool has_running_server(const std::vector<McpServer>& servers) {
    return std::ranges::any_of(servers, [](const McpServer& server) { return !server.url.empty(); });
}

}  // namespace agent_driver
