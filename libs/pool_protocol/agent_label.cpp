#include "pool_protocol/agent_label.hpp"

#include "base/text.hpp"

namespace pool_protocol {

std::string agent_label(std::string_view name) {
    return base::concat(name.starts_with("agent") ? "" : "agent ", name);
}

}  // namespace pool_protocol
