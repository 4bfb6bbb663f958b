#include "agent_driver/codex_arguments.hpp"

#include "agent_driver/project.hpp"
#include "base/text.hpp"
#include "json/json.hpp"
#include "json/object_writer.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace agent_driver {

namespace {

// A profile of permissions: the program's sandbox shows its commands only what this names.
constexpr std::string_view profile = "barnum";

// The values are TOML, whose strings are written as JSON's.
std::string profile_text(const Settings& settings, const Surroundings& surroundings) {
    std::string_view access = settings.permissions == Permissions::edit ? "write" : "read";
    // The sandbox starts the program once more, inside.
    std::string program = surroundings.program_place.empty()
                              ? ""
                              : base::concat(json::quote(surroundings.program_place), "=\"read\",");
    return base::concat("permissions.", profile, "={filesystem={\":minimal\"=\"read\",", program,
                        R"(":workspace_roots"={"."=")", access, "\"}}}");
}

std::string trust_in(const Settings& settings) {
    if (settings.project_settings)
        return base::concat("projects={", json::quote(settings.directory), "={trust_level=\"trusted\"}}");
    std::string out = "projects={";
    for (const std::string& directory : with_parents(settings.directory))
        out += base::concat(out.ends_with('{') ? "" : ",", json::quote(directory),
                            "={trust_level=\"untrusted\"}");
    return out + "}";
}

std::string variables_of_tools() {
    std::string out = "shell_environment_policy.set={";
    for (const Variable& variable : git_variables())
        out += base::concat(out.ends_with('{') ? "" : ",", variable.name, "=", json::quote(variable.value));
    return out + "}";
}

// The program keeps variables with such names from its commands by itself, if it is told so; there is no
// exception for single ones.
bool is_excluded_by_program(std::string_view name) {
    std::string upper(name);
    std::ranges::transform(upper, upper.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    return std::ranges::any_of(std::array{"KEY", "SECRET", "TOKEN"},
                               [&](const char* part) { return upper.find(part) != std::string::npos; });
}

bool names_excluded(const Settings& settings) {
    return std::ranges::any_of(settings.kept_env, is_excluded_by_program) ||
           std::ranges::any_of(settings.env, is_excluded_by_program, &Variable::name);
}

// The program itself may need any of them: its configuration says which one is its key.
std::string secrets_of_tools(const Surroundings& surroundings) {
    return base::concat("shell_environment_policy.exclude=", json::quoted_list(surroundings.secrets));
}

std::string variables_text(const std::vector<Variable>& variables) {
    json::ObjectWriter out;
    for (const Variable& variable : variables)
        out.text(variable.name, variable.value);
    return out.done();
}

}  // namespace

// Without the first option, the program waits for a network for ever. The second one saves the model 20 kB
// that tell it about skills.
std::vector<std::string> codex_arguments(const Settings& settings, const Surroundings& surroundings) {
    std::vector<std::string> out{"app-server", "--disable", "unbounded_connection_retries"};
    auto configure = [&out](std::string value) {
        out.emplace_back("-c");
        out.push_back(std::move(value));
    };
    configure("skills.bundled.enabled=false");
    configure(trust_in(settings));
    if (!settings.effort.empty())
        configure(base::concat("model_reasoning_effort=", json::quote(settings.effort)));
    if (!settings.project_settings) configure(variables_of_tools());
    configure(base::concat("shell_environment_policy.ignore_default_excludes=",
                           names_excluded(settings) ? "true" : "false"));
    if (!surroundings.secrets.empty()) configure(secrets_of_tools(surroundings));
    if (settings.permissions == Permissions::full) return out;
    configure(profile_text(settings, surroundings));
    configure(base::concat("default_permissions=", json::quote(profile)));
    configure(R"(web_search="disabled")");
    return out;
}

// The servers are not named on the command line, which everybody can read. Without the last member, the
// program would ask somebody before each call.
std::string codex_servers(const Surroundings& surroundings) {
    if (surroundings.mcp_servers.empty()) return "";
    json::ObjectWriter servers;
    for (const McpServer& server : surroundings.mcp_servers) {
        json::ObjectWriter out;
        if (server.url.empty())
            out.text("command", server.command)
                .raw("args", json::quoted_list(server.arguments))
                .raw("env", variables_text(server.environment));
        else
            out.text("url", server.url).raw("http_headers", variables_text(server.headers));
        servers.raw(server.name, out.text("default_tools_approval_mode", "approve").done());
    }
    return base::concat(R"(,"config":{"mcp_servers":)", servers.done(), "}");
}

std::string codex_limits(const Settings& settings) {
    if (settings.permissions == Permissions::full) return R"("sandbox":"danger-full-access")";
    return base::concat("\"permissions\":", json::quote(profile));
}

}  // namespace agent_driver
