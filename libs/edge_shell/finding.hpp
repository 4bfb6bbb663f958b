// What a check of an engine has found (`troupe engine check`). Pure.
#pragma once

#include <functional>
#include <string>

namespace edge_shell {

struct Finding {
    enum class Verdict {
        right,
        note,     // works, but the user should know
        changed,  // was wrong, and was changed
        wrong,
    };
    Verdict verdict;
    std::string about;  // "permissions"
    std::string text;   // what was found; if it is wrong, what to do
};

using OnFinding = std::function<void(const Finding& finding)>;

}  // namespace edge_shell
