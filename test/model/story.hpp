// What a failure of the model test tells: the rule that does not hold, and what was done before.
#pragma once

#include "base/text.hpp"
#include "must.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace model {

// sim::Broken, with what the rule is about in its text.
template<class... Pieces>
void must(bool holds, const Pieces&... pieces) {
    if (!holds) throw sim::Broken(base::concat(pieces...));
}

// The operations so far: how many, and what they were.
class Story {
  public:
    template<class... Pieces>
    void operation(const Pieces&... pieces) {
        ++operations_;
        note(pieces...);
    }
    // Something that is no operation, but belongs to what happened.
    template<class... Pieces>
    void note(const Pieces&... pieces) {
        lines_.push_back(base::concat(operations_, ": ", pieces...));
    }

    std::uint64_t operations() const { return operations_; }

    // The last ones, and of those before what is about the submission or agent that `problem` begins with.
    std::string told(std::string_view problem) const {
        std::string subject = base::concat(" ", problem.substr(0, problem.find_first_of(" ,.")), " ");
        std::string text;
        for (std::size_t i = 0; i < lines_.size(); ++i)
            if (i + shown >= lines_.size() || base::concat(lines_[i], " ").find(subject) != std::string::npos)
                text += "\n  " + lines_[i];
        return text;
    }

  private:
    static constexpr std::size_t shown = 40;
    std::uint64_t operations_ = 0;
    std::vector<std::string> lines_;
};

}  // namespace model
