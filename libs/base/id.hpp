// Ids that the compiler keeps apart.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace base {

// StrongId<struct TaskTag> and StrongId<struct StepTag> do not convert into each other.
template<class Tag, class Number = std::uint64_t>
struct StrongId {
    Number value{};

    friend auto operator<=>(const StrongId&, const StrongId&) = default;
};

}  // namespace base

template<class Tag, class Number>
struct std::hash<base::StrongId<Tag, Number>> {
    std::size_t operator()(base::StrongId<Tag, Number> id) const noexcept {
        return std::hash<Number>{}(id.value);
    }
};
