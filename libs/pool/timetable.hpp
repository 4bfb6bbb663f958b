// A queue of deadlines: at most one for each kind and submission.
#pragma once

#include "pool/machine.hpp"

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace pool {

template<class Kind>
class Timetable {
  public:
    struct Entry {
        Kind kind;
        SubmissionId submission;
    };

    // An existing entry keeps its time.
    void add(Kind kind, const SubmissionId& submission, Time at) {
        if (times_.try_emplace({kind, submission}, at).second) order_.emplace(at, kind, submission);
    }
    void remove(Kind kind, const SubmissionId& submission) {
        auto found = times_.find({kind, submission});
        if (found == times_.end()) return;
        order_.erase({found->second, kind, submission});
        times_.erase(found);
    }
    bool contains(Kind kind, const SubmissionId& submission) const {
        return times_.contains({kind, submission});
    }
    std::size_t size() const { return order_.size(); }

    std::optional<Time> next() const {
        return order_.empty() ? std::nullopt : std::optional(std::get<Time>(*order_.begin()));
    }
    // Removes and returns the first entry that is due; empty if there is none.
    std::optional<Entry> take_due(Time now) {
        if (order_.empty() || std::get<Time>(*order_.begin()) > now) return std::nullopt;
        auto [at, kind, submission] = *order_.begin();
        remove(kind, submission);
        return Entry{kind, std::move(submission)};
    }

  private:
    std::map<std::pair<Kind, SubmissionId>, Time> times_;
    std::set<std::tuple<Time, Kind, SubmissionId>> order_;
};

}  // namespace pool
