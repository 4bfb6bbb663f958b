// Groups of entries as short texts, for comparisons.
#pragma once

#include "run_helper.hpp"

#include <string>
#include <vector>

namespace workflow_test {

inline std::string text_of(const TaskCompleted& entry) {
    std::string text = std::to_string(entry.task.value);
    if (auto* succeeded = std::get_if<Succeeded>(&entry.outcome)) {
        text += " succeeded:";
        for (TaskId child : succeeded->spawned)
            text += " " + std::to_string(child.value);
        return text;
    }
    const auto& failed = std::get<Failed>(entry.outcome);
    static const char* kinds[] = {"Timeout",         "AgentLost",     "AgentFailed",
                                  "InvalidResponse", "CommandFailed", "HookFailed",
                                  "PastBound",       "Rejected",      "Expired"};
    text +=
        std::string(" failed by ") + kinds[static_cast<int>(failed.failure().kind)] + failed.failure().hook;
    return text + (failed.retry ? ", retry " + std::to_string(failed.retry->value) : ", dropped");
}

inline std::string origin_of(const TaskSubmitted& entry) {
    if (auto* retry = std::get_if<Retry>(&entry.origin))
        return "retry of " + std::to_string(retry->replaces.value);
    if (auto* finally = std::get_if<Finally>(&entry.origin))
        return "finally of " + std::to_string(finally->finally_for.value);
    return entry.parent ? "child of " + std::to_string(entry.parent->value) : "initial";
}

// As in "0 failed by Timeout, retry 1; 1 step0 {} retry of 0".
inline std::string text_of(const std::vector<TaskSubmitted>& entries) {
    std::string text;
    for (const auto& entry : entries)
        text += "; " + std::to_string(entry.task.value) + " step" + std::to_string(entry.step.value) + " " +
                *entry.value + " " + origin_of(entry);
    return text;
}

inline std::string text_of(const Group& group) {
    return text_of(std::get<TaskCompleted>(group.front())) + text_of(submitted(group));
}

}  // namespace workflow_test
