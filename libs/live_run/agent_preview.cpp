#include "live_run/agent_preview.hpp"

#include "agent_driver/conversation.hpp"
#include "agents/surroundings.hpp"
#include "base/text.hpp"
#include "json/shown_word.hpp"

namespace live_run {

namespace {

using agent_driver::AgentGroup;

// The instructions of the first step that the agents may get tasks of.
agent_driver::Prompt sample_prompt(const AgentGroup& group, const config::WorkflowConfig& config) {
    for (const config::Step& step : config.steps) {
        const base::Labels* labels = config::labels_of(step);
        if (labels != nullptr && group.labels.fit(*labels)) return {step.pool_instructions, "{}", {}};
    }
    return {"", "{}", {}};
}

std::string command_line(const AgentGroup& group, const config::WorkflowConfig& config) {
    if (group.settings.kind == agent_driver::AgentKind::exec) return group.settings.command;
    auto surroundings = agents::surroundings_of(group.settings);
    auto launch = agent_driver::Conversation(group.settings, sample_prompt(group, config),
                                             surroundings ? *surroundings : agent_driver::Surroundings())
                      .launch({});
    std::string line = json::shown_word(launch.program);
    for (const std::string& argument : launch.arguments)
        line += " " + json::shown_word(argument);
    return line;
}

// What they do with each task.
std::string work_text(const AgentGroup& group, const config::WorkflowConfig& config) {
    if (group.settings.kind == agent_driver::AgentKind::shell) return "running the commands of tasks";
    return base::concat("each running `", command_line(group, config), "`");
}

}  // namespace

std::string preview(const AgentGroup& group, const config::WorkflowConfig& config) {
    std::string kind(agent_driver::kind_name(group.settings.kind));
    std::string agents = group.settings.kind == agent_driver::AgentKind::exec
                             ? std::to_string(group.count)
                             : base::counted(group.count, kind + " agent");
    std::string labels = group.labels.empty() ? "" : ", with " + group.labels.description();
    return base::concat(agents, ", ", work_text(group, config), " in ", group.settings.directory, labels);
}

}  // namespace live_run
