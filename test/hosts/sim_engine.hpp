// An engine as edge/engine.hpp describes it, with the faults that it may have: deliveries twice and late,
// leases that it forgets, settled tasks that come back, and the loss of a record or of its whole store.
#pragma once

#include "agenda.hpp"
#include "edge/agent_side.hpp"
#include "edge/submitter_side.hpp"
#include "oracle.hpp"
#include "random.hpp"

#include <functional>
#include <map>
#include <set>
#include <vector>

namespace hosts {

using edge::Delivery;
using edge::PullId;
using edge::Queue;
using edge::Record;
using edge::Version;

// A connection of a host. Its pulls end with it.
struct Puller {
    std::size_t host = 0;
    std::uint64_t connection = 0;

    friend bool operator==(const Puller&, const Puller&) = default;
};

class SimEngine {
  public:
    SimEngine(Agenda& agenda, workflow_test::Random& random, Oracle& oracle)
        : agenda_(agenda), random_(random), oracle_(oracle) {}

    // To be set before use.
    std::function<void(Puller, const edge::agent_side::Event&)> deliver;
    std::function<void(const TaskId&, const Record&)> notify;

    // False if the queue holds the task already.
    bool publish(const edge::submitter_side::Publish& request, std::optional<Duration> timeout);
    edge::Written write(const edge::Write& request);
    edge::Found look_up(const edge::LookUp& request) const;
    bool is_passed_over(const TaskId& task) const;
    void pull(Puller puller, const edge::agent_side::Pull& request);
    void end_pull(Puller puller, PullId pull);
    void extend(const TaskId& task, const Delivery& delivery);
    void settle(const edge::Settle& request);
    void remove(const TaskId& task);
    void purge(const TaskId& task, Version version);

    bool is_claimed(const TaskId& task) const;
    // Since when the record says that somebody else's outcome counts; empty: it does not.
    std::optional<Time> decided(const TaskId& task, const edge::Author& claim) const;

    void drop(Puller puller);
    // `forgets`: to deliver some of the messages, ever again.
    void restart(bool forgets);
    void wipe();
    // A task that has a record.
    std::optional<TaskId> any_record();
    // Returns whether there was one.
    bool lose_record(const TaskId& task);

    // Whether a message of the task was settled, and was there again after a restart.
    bool has_returned(const TaskId& task) const { return returned_.contains(task); }

    std::uint64_t store() const { return store_; }
    std::vector<TaskId> queued() const;

    static constexpr Duration lease = 30s;

  private:
    struct Message {
        Queue queue;
        std::optional<Duration> timeout;  // of the task
        std::uint64_t number = 0;         // different for each publication
        bool is_repeated = false;         // it was delivered, or is said to have been
        bool is_leased = false;
        bool is_forgotten = false;  // it is not delivered any more
        std::uint64_t lease = 0;    // different for each lease
    };
    struct Waiting {
        Puller puller;
        PullId pull;
        Queue queue;
        std::size_t left = 0;
    };

    bool holds(const TaskId& task, const Delivery& delivery) const;
    Message* find(const TaskId& task, const Delivery& delivery);
    void dispatch();
    void dispatch(const TaskId& task, Message& message);
    void check_settled(const TaskId& task);
    void hold(const TaskId& task, Message& message, Duration span);
    void end(std::vector<Waiting>::iterator pull);

    Agenda& agenda_;
    workflow_test::Random& random_;
    Oracle& oracle_;
    std::map<TaskId, Message> messages_;
    std::map<TaskId, Message> settled_;  // that may come back after a restart
    std::map<TaskId, Record> records_;
    std::map<TaskId, Time> written_;  // when the record was written last
    std::set<TaskId> withdrawn_;      // at some time
    std::set<TaskId> lost_;           // whose record was lost at some time
    std::set<TaskId> returned_;       // whose message was settled, and came back
    std::uint64_t store_ = 1;
    std::vector<Waiting> pulls_;
    std::uint64_t last_message_ = 0;
    std::uint64_t last_lease_ = 0;
    Version last_version_ = 0;
};

}  // namespace hosts
