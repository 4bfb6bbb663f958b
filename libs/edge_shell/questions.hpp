// Questions that a machine of an edge is to reply to: it knows each by a number.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>

namespace edge_shell {

template<class Answer>
class Questions {
  public:
    // Returns the number.
    std::uint64_t add(std::function<void(Answer)> reply) {
        open_.emplace(++last_, std::move(reply));
        return last_;
    }
    void reply(std::uint64_t number, Answer answer) {
        auto question = open_.extract(number);
        if (!question.empty()) question.mapped()(answer);
    }

  private:
    std::unordered_map<std::uint64_t, std::function<void(Answer)>> open_;
    std::uint64_t last_ = 0;
};

}  // namespace edge_shell
