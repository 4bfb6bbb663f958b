// What a program prints that speaks the Agent Client Protocol: any lines lead to lines that it can read, and
// to one end.
#include "agent_lines.hpp"
#include "fuzz.hpp"

void fuzz::target(std::string_view input) {
    check_agent_lines(agent_driver::AgentKind::acp, input);
    check_agent_lines(agent_driver::AgentKind::gemini, input);
}
