// Which sources are wanted, besides their tasks. Pure.
#pragma once

#include "output/source.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace output {

struct Selection {
    std::optional<std::string> step;
    std::optional<std::uint64_t> attempt;
    std::optional<std::string> phase;

    bool contains(const Source& source) const {
        return (!step || *step == source.step) && (!attempt || *attempt == source.attempt) &&
               (!phase || *phase == source.phase);
    }
};

}  // namespace output
