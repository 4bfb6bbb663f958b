// Who waits in a pool: queued submissions for an agent, and idle agents for a submission. Finds the pair that
// is next. Submissions and agents with the same labels form a group, and no operation takes longer than
// linear in the number of groups, however many members these have.
#pragma once

#include "base/id.hpp"
#include "base/labels.hpp"
#include "base/pool_types.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace pool {

using AgentId = base::TextId<struct AgentTag>;
using base::SubmissionId;

class WaitingLine {
  public:
    using AgentTurn = std::uint64_t;
    // The place of a submission in the queue.
    struct Place {
        std::int32_t priority = 0;  // higher ones are first
        std::int64_t turn = 0;      // and of equal ones, the lowest

        friend bool operator==(const Place&, const Place&) = default;
        friend bool operator<(const Place& left, const Place& right) {
            return left.priority == right.priority ? left.turn < right.turn : left.priority > right.priority;
        }
    };
    struct Match {
        AgentId agent;
        SubmissionId submission;
    };
    struct Queued {
        Place place;
        SubmissionId submission;
    };

    WaitingLine() = default;
    // Groups refer to each other, which a move keeps valid, and a copy would not.
    WaitingLine(WaitingLine&&) = default;
    WaitingLine& operator=(WaitingLine&&) = default;

    // An agent is attached as long as it is known to the pool, idle or not.
    void attach(const base::Labels& labels);
    void detach(const base::Labels& labels);  // not idle any more

    // Turns are unique; the lowest is the first. Places are unique, too. The agent is attached.
    void add_idle(const base::Labels& labels, AgentTurn turn, AgentId agent);
    void remove_idle(const base::Labels& labels, AgentTurn turn);
    void add_queued(const base::Labels& labels, Place place, SubmissionId submission);
    void remove_queued(const base::Labels& labels, Place place);

    // Removes the first submission that an idle agent fits, and the first such agent.
    std::optional<Match> take_match();
    // Removes all submissions and returns them in their order.
    std::vector<Queued> take_queue();

    std::size_t idle() const { return idle_; }
    struct Idle {
        base::Labels labels;
        std::size_t count = 0;
    };
    // The idle agents, by their labels.
    std::vector<Idle> idle_groups() const;
    // The labels of the attached agents, each once.
    std::vector<base::Labels> offered() const;
    std::size_t queued() const { return queued_; }
    std::optional<Queued> first_queued() const;
    // All, in no particular order.
    std::vector<SubmissionId> all_queued() const;
    // The first of all, in their order.
    std::vector<Queued> first_queued(std::size_t at_most) const;
    // The submissions before this place, in their order.
    std::vector<Queued> all_before(Place place) const;
    // The submissions with exactly these labels, in their order.
    std::vector<SubmissionId> queued_with(const base::Labels& labels) const;
    std::size_t count_queued_with(const base::Labels& labels) const;

    // Whether submissions with these labels are queued, and no attached agent has all of the labels.
    bool is_unmatched(const base::Labels& labels) const;
    // The labels of all queued submissions for which that is so. They are valid until the next change.
    std::vector<const base::Labels*> unmatched() const;
    // Those of `labels` that no attached agent has; none if each has an agent, but no agent has all.
    base::Labels missing(const base::Labels& labels) const;

  private:
    struct AgentGroup {
        std::size_t attached = 0;
        std::map<AgentTurn, AgentId> idle;
    };
    using AgentGroups = std::map<base::Labels, AgentGroup>;
    struct SubmissionGroup {
        std::map<Place, SubmissionId> queued;
        std::vector<AgentGroups::iterator> idle;  // the groups that fit and have idle agents
        std::size_t attached = 0;                 // how many groups fit
    };
    using SubmissionGroups = std::map<base::Labels, SubmissionGroup>;

    SubmissionGroup new_group(const base::Labels& labels);
    void idle_begun(AgentGroups::iterator group);
    void idle_ended(AgentGroups::iterator group);
    SubmissionGroups::const_iterator first_group(bool has_idle) const;

    AgentGroups agents_;            // with attached agents
    SubmissionGroups submissions_;  // with queued submissions
    std::size_t idle_ = 0;
    std::size_t queued_ = 0;
};

}  // namespace pool
