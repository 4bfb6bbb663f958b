#include "agents/command_output.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace agents {

std::optional<std::string> CommandOutput::add(std::string_view piece) {
    size_ += piece.size();
    beginning_ += piece.substr(0, most_kept - beginning_.size());
    std::string last;
    lines_.add(piece, [&](std::string_view line) {
        if (line.find_first_not_of(" \t\r") != line.npos) last = line;
    });
    if (last.empty()) return std::nullopt;
    return last;
}

std::string CommandOutput::text(std::string_view tail) const {
    std::size_t rest = size_ - beginning_.size();
    std::size_t left_out = rest - std::min(rest, tail.size());
    std::string all = beginning_;
    if (left_out > 0) all += base::concat("\n[", left_out, " bytes left out]\n");
    all += tail.substr(tail.size() - (rest - left_out));
    return all;
}

}  // namespace agents
