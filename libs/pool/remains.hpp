// What the files of an agent mean to a daemon that starts after another was killed (R17). Pure: the facts in,
// what to do about them out.
#pragma once

namespace pool {

// What there is of an agent.
struct Traces {
    enum class Task { none, content, heartbeat, kicked };

    bool lease = false;        // a task was about to be written for it, or was
    bool ready = false;        // its ready file
    bool handed_back = false;  // and what it says (R13)
    Task task =
        Task::none;  // its task file; of one with a lease nobody needs to know more than that it is there
    bool unsent = false;  // the task file is still in scratch/, where no agent looks
    bool response = false;
};

enum class Remains {
    none,        // an agent that waits, or none at all: the ordinary look through the directory deals with it
    at_work,     // it has a task or a heartbeat, and its response is awaited
    unassigned,  // it has not seen the task that was meant for it: it still waits
    kicked,      // it has been told, and may be about to read it
    over,        // it has gone, or handed its task back
};

Remains judge(const Traces& traces);

}  // namespace pool
