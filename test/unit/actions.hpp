// What the tests of the machines ask of their actions.
#pragma once

#include <variant>
#include <vector>

// Those of one kind, in their order.
template<class A, class Action>
std::vector<A> only(const std::vector<Action>& actions) {
    std::vector<A> found;
    for (const Action& action : actions)
        if (const auto* match = std::get_if<A>(&action)) found.push_back(*match);
    return found;
}

template<class A, class Action>
bool is_only(const std::vector<Action>& actions) {
    return actions.size() == 1 && std::holds_alternative<A>(actions.front());
}
