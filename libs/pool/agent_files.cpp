#include "pool/agent_files.hpp"

namespace pool {

namespace {

AgentState classify_leased(const AgentFiles& files) {
    // A task file that is neither in agents/ nor in scratch/ was taken by its agent. One that is still in
    // scratch/ was not seen by the agent, so a response cannot belong to it.
    bool unseen = files.task == AgentFiles::Task::none && files.unsent;
    if (files.response && !unseen) return AgentState::at_work;
    if (!files.ready || files.handed_back) return AgentState::gone;
    return unseen ? AgentState::unassigned : AgentState::at_work;
}

}  // namespace

AgentState classify(const AgentFiles& files) {
    if (files.lease) return classify_leased(files);
    if (files.task == AgentFiles::Task::none) return AgentState::no_task;
    if (!files.ready || files.handed_back) return AgentState::gone;
    return files.task == AgentFiles::Task::kicked ? AgentState::kicked : AgentState::at_work;
}

}  // namespace pool
