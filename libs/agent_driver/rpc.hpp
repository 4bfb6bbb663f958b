// The lines of JSON-RPC, by which Codex and the Agent Client Protocol work. For this room only.
#pragma once

#include "json/json.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace agent_driver {

enum class Version { omitted, two };  // whether messages have the member "jsonrpc"

// Writes requests, with ids that count up from 1.
class Rpc {
  public:
    explicit Rpc(Version version) : head_(version == Version::two ? R"({"jsonrpc":"2.0",)" : "{") {}

    // `params` and `result` are JSON.
    std::string request(std::string_view method, std::string_view params);
    std::string notification(std::string_view method, std::string_view params) const;
    std::string result(json::View id, std::string_view result) const;
    // The response to a request of the program that the driver does not serve.
    std::string not_served(json::View id) const;

    // The id of the last request.
    std::int64_t last() const { return last_; }

  private:
    std::string head_;
    std::int64_t last_ = 0;
};

}  // namespace agent_driver
