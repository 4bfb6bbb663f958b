// How far an edge is with its search for a task: when it asks again, and when it knows enough.
#pragma once

#include "edge/engine.hpp"

#include <algorithm>
#include <bitset>

namespace edge {

class SearchState {
  public:
    enum class Next {
        ask,   // all edges, again
        anew,  // this process was suspended meanwhile: what was found before that is out of date
        is_over
    };

    SearchState() = default;
    // Begins with a question, which is asked again after each `interval`.
    SearchState(Time now, const Times& times, Duration interval)
        : last_question_(now + times.search), asked_(now), interval_(interval) {}

    // When next() is due. The last question comes at the end of Times::search, so that it reaches whoever was
    // out of reach for less than that.
    Time due(const Times& times) const {
        if (asked_ >= last_question_) return asked_ + times.ask;
        return std::min(asked_ + interval_, last_question_);
    }
    // To be called when due() has come. After `ask`, the question is sent.
    Next next(Time now, const Times& times) {
        if (now >= due(times) + times.ask) return Next::anew;
        if (asked_ >= last_question_) return Next::is_over;
        asked_ = now;
        return Next::ask;
    }
    void found(Trace trace) { found_.set(static_cast<std::size_t>(trace)); }
    // What counts of all that was found, except `held`, which ends a search: `over`, unless another submitter
    // waits; then `ended`; or nothing.
    Trace found() const {
        if (has(Trace::over) && !has(Trace::awaited)) return Trace::over;
        return has(Trace::ended) ? Trace::ended : Trace::none;
    }

  private:
    bool has(Trace trace) const { return found_.test(static_cast<std::size_t>(trace)); }

    Time last_question_{};
    Time asked_{};
    Duration interval_{};
    std::bitset<static_cast<std::size_t>(Trace::held) + 1> found_;
};

}  // namespace edge
