#include "pool/agent_files.hpp"

namespace pool {

namespace {

RecoveredState classify_leased(const AgentFiles& files) {
    // A task file that is neither in agents/ nor in scratch/ was taken by its agent. One that is still in
    // scratch/ was not seen by the agent, so a response cannot belong to it.
    bool unseen = files.task == AgentFiles::Task::none && files.unsent;
    if (files.response && !unseen) return RecoveredState::at_work;
    if (!files.ready || files.handed_back) return RecoveredState::gone;
    return unseen ? RecoveredState::unassigned : RecoveredState::at_work;
}

}  // namespace

RecoveredState classify(const AgentFiles& files) {
    if (files.lease) return classify_leased(files);
    if (files.task == AgentFiles::Task::none) return RecoveredState::no_task;
    if (!files.ready || files.handed_back) return RecoveredState::gone;
    return files.task == AgentFiles::Task::kicked ? RecoveredState::kicked : RecoveredState::at_work;
}

}  // namespace pool
