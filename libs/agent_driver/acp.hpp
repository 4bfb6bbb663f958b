// The Agent Client Protocol, version 1, as a client. For this room only.
#pragma once

#include "agent_driver/driver.hpp"
#include "agent_driver/rpc.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace agent_driver {

// Does what Surroundings::real_path does; may be empty.
using RealPath = std::function<std::string(const std::string& path)>;

// Serves any program. A program's own additions are read by a class derived from it.
class Acp : public Driver {
  public:
    Acp(const Settings& settings, const Prompt& prompt, const Surroundings& surroundings)
        : settings_(settings),
          prompt_(prompt),
          real_path_(surroundings.real_path),
          servers_(surroundings.mcp_servers),
          images_(surroundings.images) {}

    Launch launch() override;
    Events read(json::View message) override;
    Events say(std::string_view text) override { return prompt(text, {}); }
    Events interrupt() override;

  protected:
    const Settings& settings() const { return settings_; }
    // The event that names the session's model; nothing if the last one has named it.
    Events used(std::string model);

    // What the error means that the program gives as the response to a request.
    virtual Failure failure(json::View error) const;
    // Called with each change of a tool's call.
    virtual Events read_refusal(json::View) { return {}; }
    // Whether a call, about which the program asks, is of a tool of the servers that the settings name.
    virtual bool is_of_server(json::View) const { return false; }
    // Whether a question about a call is all that the program tells when the call begins.
    virtual bool only_asks_of_call() const { return false; }
    const std::vector<McpServer>& servers() const { return servers_; }
    // Called with each response to a prompt.
    virtual Events read_usage(json::View) { return {}; }

  private:
    Events read_request(std::string_view method, json::View id, json::View params);
    Activity begin_call(const std::optional<json::View>& call);
    Events read_update(json::View update);
    Events read_result(std::int64_t id, json::View result);
    Events read_initialized(json::View result);
    std::string begin_session();
    std::string load_session();
    Events read_session(json::View result);
    // Sends the next message of the user.
    Events prompt(std::string_view text, const Images& images);
    Events read_turn_end(json::View result);
    Events read_error(std::int64_t id, json::View error);

    Settings settings_;
    Prompt prompt_;
    RealPath real_path_;
    std::vector<McpServer> servers_;
    Images images_;
    Rpc rpc_{Version::two};
    std::int64_t session_request_ = 0;  // 0: not sent yet
    std::string session_;
    std::string model_;
    std::string words_;  // what the model has said since its last tool call
    int tool_calls_ = 0;
};

// Whether the permissions include the call that session/request_permission asks about: what it does, and the
// files that it names, also where links lead.
bool allows(const Settings& settings, json::View params, const RealPath& real_path);
// The response to session/request_permission: the option that allows the call once, or rejects it.
std::string permission_answer(json::View params, bool allowed);

}  // namespace agent_driver
