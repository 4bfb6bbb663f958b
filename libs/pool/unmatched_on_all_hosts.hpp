// A pool over many hosts: which tasks of this host's submitters wait for labels that no agent of any host
// has. Decides when the other hosts are asked for the labels of their agents, and what is reported then.
// Pure.
#pragma once

#include "pool/machine.hpp"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace pool {

class UnmatchedOnAllHosts {
  public:
    // Tasks that no host has, with their labels.
    using Waiting = std::map<SubmissionId, base::Labels>;
    struct Findings {
        std::vector<ReportUnmatched> reports;
        std::vector<TellUnmatched> tells;
    };
    struct Group {
        base::Labels labels;
        base::Labels missing;
        std::size_t tasks = 0;
        Time since{};
    };

    // Tasks wait for so long before hosts are asked. After that, they are asked less and less often.
    static constexpr Duration first_question = std::chrono::seconds(30);
    static constexpr Duration longest_pause = std::chrono::minutes(10);
    // What was missing is asked for once more after this time: a host may have been silent, and agents may
    // attach anew for each task.
    static constexpr Duration confirmation = std::chrono::seconds(10);

    // To be called every now and then while tasks wait. When a task has joined unmatched ones, hosts are
    // asked again before it is told.
    void look(const Waiting& waiting, Time now);
    // Some agents have at least these labels: what fits them is not unmatched any more.
    void known(const std::vector<base::Labels>& offered, Time now);
    bool wants_to_ask(Time now) const;
    // `offered`: the labels of the agents of all hosts, each at least once. None: some host did not say.
    Findings answered(const Waiting& waiting, const std::optional<std::vector<base::Labels>>& offered,
                      Time now);

    // What was reported, and is still so.
    std::vector<Group> unmatched() const;

  private:
    struct State {
        Time since{};  // when such tasks began to wait, or when an agent was last known to fit
        Time question{};
        Time asked{};
        Duration pause = first_question;
        bool was_missing = false;
        bool is_reported = false;
        base::Labels missing;
        std::size_t tasks = 0;
        std::set<SubmissionId> told;
    };

    static void matched(State& state, Time now);
    static void missed(const base::Labels& labels, State& state, const std::vector<base::Labels>& offered,
                       Time now, Findings& findings);

    std::map<base::Labels, State> states_;
};

}  // namespace pool
