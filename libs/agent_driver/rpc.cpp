#include "agent_driver/rpc.hpp"

#include "base/text.hpp"

namespace agent_driver {

std::string Rpc::request(std::string_view method, std::string_view params) {
    return base::concat(head_, "\"id\":", ++last_, ",\"method\":\"", method, "\",\"params\":", params, "}");
}

std::string Rpc::notification(std::string_view method, std::string_view params) const {
    return base::concat(head_, "\"method\":\"", method, "\",\"params\":", params, "}");
}

std::string Rpc::result(json::View id, std::string_view result) const {
    return base::concat(head_, "\"id\":", json::compact(id), ",\"result\":", result, "}");
}

std::string Rpc::not_served(json::View id) const {
    return base::concat(head_, "\"id\":", json::compact(id),
                        R"(,"error":{"code":-32601,"message":"method not found"}})");
}

}  // namespace agent_driver
