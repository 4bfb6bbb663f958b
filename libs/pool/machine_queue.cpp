#include "pool/machine_impl.hpp"

#include <optional>
#include <ranges>
#include <vector>

namespace pool {

bool Transition::is_queued(const SubmissionId& id) const {
    auto found = s_.submissions.find(id);
    return found != s_.submissions.end() && !found->second.agent;
}

void Transition::operator()(const Cancelled& event) {
    if (!is_queued(event.submission)) return;
    const Submission& submission = s_.submissions.at(event.submission);
    s_.line.remove_queued(submission.labels, submission.place);
    refuse(event.submission, RefuseReason::cancelled);
}

// What was before `before` keeps its order, and goes to the front with the moved one: so that there is a
// place between the two.
void Transition::operator()(const Moved& event) {
    if (!is_queued(event.submission)) return;
    std::optional<SubmissionId> before = event.before;
    if (!before) before = s_.line.first_queued()->submission;
    if (!is_queued(*before) || *before == event.submission) return;
    WaitingLine::Place limit = s_.submissions.at(*before).place;
    std::vector<SubmissionId> front{event.submission};
    for (const WaitingLine::Queued& queued : s_.line.all_before(limit) | std::views::reverse)
        if (queued.place.priority == limit.priority && queued.submission != event.submission)
            front.push_back(queued.submission);
    for (const SubmissionId& id : front)
        place(id, {limit.priority, s_.next_front_turn--});
}

void Transition::place(const SubmissionId& id, WaitingLine::Place place) {
    Submission& submission = s_.submissions.at(id);
    s_.line.remove_queued(submission.labels, submission.place);
    submission.place = place;
    s_.line.add_queued(submission.labels, place, id);
}

}  // namespace pool
