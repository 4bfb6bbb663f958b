#include "pool_view/draining.hpp"

#include "base/text.hpp"

namespace pool_view {

using pool_protocol::AgentStatus;

std::string draining_text(const pool_protocol::Status& status) {
    std::size_t at_work =
        status.agents_in(AgentStatus::State::busy) + status.agents_in(AgentStatus::State::ending);
    std::size_t kept = status.engine ? status.engine->kept_answers : 0;
    std::string text;
    if (at_work > 0) text = base::concat("the daemon waits for ", base::counted(at_work, "agent"));
    if (kept > 0)
        text += base::concat(
            text.empty() ? "the daemon waits until the engine has " : ", and until the engine has ",
            base::counted(kept, "answer"));
    if (text.empty()) return "the daemon ends";
    return text;
}

}  // namespace pool_view
