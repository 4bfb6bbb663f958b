#include "cli/values.hpp"

#include <utility>

namespace cli {

Values files() {
    return found_by([](const Line&) { return Completion{Completion::Kind::files}; });
}

Values directories() {
    return found_by([](const Line&) { return Completion{Completion::Kind::directories}; });
}

Values one_of(std::vector<std::string> choices) {
    Completion all;
    for (const std::string& choice : choices)
        all.candidates.push_back({choice});
    return {std::move(choices), [all](const Line&) { return all; }};
}

Values found_by(std::function<Completion(const Line&)> complete) {
    return {{}, std::move(complete)};
}

}  // namespace cli
