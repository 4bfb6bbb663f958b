// How far an edge is with its search for a task: when it asks again, and when it knows enough.
#pragma once

#include "edge/engine.hpp"

#include <algorithm>

namespace edge {

class SearchState {
  public:
    enum class Next {
        ask,   // all edges, again
        anew,  // this process was suspended meanwhile: what was found before that is out of date
        is_over
    };

    SearchState() = default;
    // Begins with a question.
    SearchState(Time now, const Times& times) : last_question_(now + times.search), asked_(now) {}

    // When next() is due. The last question comes at the end of Times::search, so that it reaches whoever was
    // out of reach for less than that.
    Time due(const Times& times) const {
        Time next = asked_ + times.ask;
        return asked_ < last_question_ ? std::min(next, last_question_) : next;
    }
    // To be called when due() has come. After `ask`, the question is sent.
    Next next(Time now, const Times& times) {
        if (now >= asked_ + 2 * times.ask) return Next::anew;
        if (asked_ >= last_question_) return Next::is_over;
        asked_ = now;
        return Next::ask;
    }
    void found(Trace trace) { found_ = std::max(found_, trace); }
    Trace found() const { return found_; }

  private:
    Time last_question_{};
    Time asked_{};
    Trace found_ = Trace::none;
};

}  // namespace edge
