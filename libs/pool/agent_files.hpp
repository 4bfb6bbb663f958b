// Derives the state of an agent from the files that a killed daemon left. Pure.
#pragma once

namespace pool {

// The files of an agent that an earlier daemon and the agent have left.
struct AgentFiles {
    enum class Task { none, content, heartbeat, kicked };

    bool lease = false;        // the daemon had written a task for the agent, or was about to
    bool ready = false;        // there is a ready file
    bool handed_back = false;  // the ready file says that the agent hands its task back
    Task task = Task::none;    // its task file; with a lease, only whether it is `none` is known
    bool unsent = false;       // its task file is still in scratch/, where no agent looks
    bool response = false;     // there is a response file
};

enum class RecoveredState {
    no_task,     // idle, or there is no such agent: the normal scan of the directory handles it
    at_work,     // it has a task or a heartbeat, and its response is expected
    unassigned,  // it has not seen the task that was meant for it, and is still idle
    kicked,      // its task file contains a kick, which it may be about to read
    gone,        // it has left, or handed its task back
};

RecoveredState classify(const AgentFiles& files);

}  // namespace pool
