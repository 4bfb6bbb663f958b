// What the files of an agent mean to a daemon that starts after another was killed. Pure: the facts in, the
// agent's state out.
#pragma once

namespace pool {

// What an earlier daemon and an agent have left of the agent.
struct AgentFiles {
    enum class Task { none, content, heartbeat, kicked };

    bool lease = false;        // a task was about to be written for it, or was
    bool ready = false;        // its ready file is there
    bool handed_back = false;  // its ready file says that it hands its task back
    Task task = Task::none;    // its task file; with a lease, any value but none means that it is there
    bool unsent = false;       // its task file is still in scratch/, where no agent looks
    bool response = false;     // its response file is there
};

enum class AgentState {
    no_task,     // it waits, or there is none: the ordinary scan of the directory deals with it
    at_work,     // it has a task or a heartbeat, and its response is awaited
    unassigned,  // it has not seen the task that was meant for it: it still waits
    kicked,      // its task file says so, and it may be about to read that
    gone,        // it has gone, or handed its task back
};

AgentState classify(const AgentFiles& files);

}  // namespace pool
