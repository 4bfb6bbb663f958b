// The labels that occur in the model.
#pragma once

#include "base/labels.hpp"
#include "draw.hpp"

namespace model {

inline base::Labels all_labels() {
    return *base::Labels::of({"x", "y"});
}

// One of them, or both.
inline base::Labels some_labels(sim::Draw& draw) {
    std::uint32_t which = draw.below(3);
    if (which == 2) return all_labels();
    return *base::Labels::of({which == 0 ? "x" : "y"});
}

}  // namespace model
