// What Claude Code prints: any lines lead to lines that it can read, and to one end.
#include "agent_lines.hpp"
#include "fuzz.hpp"

void fuzz::target(std::string_view input) {
    check_agent_lines(agent_driver::AgentKind::claude, input);
}
