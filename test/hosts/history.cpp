#include "history.hpp"

#include "host.hpp"

namespace hosts {

namespace {

base::Labels some_labels(bool has_gpu) {
    return has_gpu ? *base::Labels::of({"gpu"}) : base::Labels();
}

class History {
  public:
    History(std::uint32_t seed, bool is_verbose) : world_(seed) {
        world_.is_verbose = is_verbose;
        if (is_verbose)
            world_.oracle.log = [this](const std::string& what) {
                print(world_.agenda.now(), "oracle", what);
            };
    }
    std::string run();

  private:
    std::uint32_t below(std::size_t limit) { return world_.random.below(limit); }
    bool one_in(std::uint32_t n) { return world_.random.one_in(n); }
    Host& any_host() { return *world_.hosts[below(world_.hosts.size())]; }
    void at(Duration time, std::function<void()> what) { world_.agenda.in(time, std::move(what)); }

    void connect_engine();
    void add_hosts();
    void add_tasks();
    void add_task(const TaskId& task);
    void add_client(Host& host, const TaskId& task, const Queue& queue, std::optional<Duration> timeout);
    void add_faults();
    void fault();
    void restart_engine(bool wipes);
    void lose_any_record();
    void lose_record(const TaskId& task);
    void lose_notice(const TaskId& task);
    void judge_return(const TaskId& task);
    void kill();
    void end_faults();
    void give_up();
    bool is_queue_empty() const;
    bool is_quiet() const;
    std::string result();

    World world_;
    std::map<TaskId, Time> ends_;  // when the last outcome was written
    bool is_calm_ = false;
    // The engine loses records and notices, and all that know of their tasks can be reached.
    bool is_forgetful_ = false;
    bool is_left_alone_ = false;  // the only host with agents dies, and does not come back
    static constexpr Duration fault_time = 60s;
    static constexpr Duration end_of_faults = fault_time + 120s;
};

void History::connect_engine() {
    world_.engine.deliver = [this](Puller puller, const edge::agent_side::Event& event) {
        if (const auto* delivered = std::get_if<edge::agent_side::Delivered>(&event))
            judge_return(delivered->task);
        world_.hosts[puller.host]->receive(puller, event);
    };
    world_.engine.notify = [this](const TaskId& task, const Record& record) {
        if (record.last && record.last->kind == edge::EntryKind::outcome) ends_[task] = world_.agenda.now();
        if (is_forgetful_ && one_in(4)) return lose_notice(task);
        for (std::size_t home : world_.homes.at(task))
            world_.hosts[home]->receive_notice(task, record);
    };
}

void History::add_hosts() {
    bool has_classes = one_in(4);
    world_.queues = {{some_labels(false), 0}};
    if (has_classes) world_.queues.push_back({some_labels(true), 0});
    if (one_in(4)) world_.queues.push_back({some_labels(has_classes && one_in(2)), 3});
    Weather weather;
    if (is_calm_ || is_forgetful_) weather = {0, 0};
    if (!is_calm_ && !is_forgetful_ && one_in(3)) weather.lost_one_in = 5 + below(30);
    std::size_t count = 2 + below(2);
    for (std::size_t number = 0; number < count; ++number) {
        world_.hosts.push_back(std::make_unique<Host>(world_, number, weather));
        std::size_t agents = number == 0 ? 1 + below(2) : is_left_alone_ ? 0 : below(3);
        for (std::size_t agent = 0; agent < agents; ++agent)
            world_.hosts.back()->agents().add(some_labels(has_classes && (number == 0 || one_in(2))));
    }
    for (auto& host : world_.hosts)
        at(world_.up_to(3s), [&host] { host->start(); });
}

void History::add_tasks() {
    std::size_t count = 1 + below(3);
    for (std::size_t number = 0; number < count; ++number)
        add_task("t" + std::to_string(number));
}

void History::add_task(const TaskId& task) {
    Queue queue = world_.queues[below(world_.queues.size())];
    std::optional<Duration> timeout;
    if (!one_in(3)) timeout = one_in(2) ? Duration(40s) : Duration(120s);
    std::size_t first = below(world_.hosts.size());
    add_client(*world_.hosts[first], task, queue, timeout);
    if (!world_.is_shared) return;
    std::size_t second = (first + 1 + below(world_.hosts.size() - 1)) % world_.hosts.size();
    add_client(*world_.hosts[second], task, queue, timeout);
}

void History::add_client(Host& host, const TaskId& task, const Queue& queue,
                         std::optional<Duration> timeout) {
    Duration when = 3s + world_.up_to(one_in(2) ? 2s : 40s);
    at(when, [=, &host] { host.submit(task, queue, timeout); });
    if (world_.is_shared ? one_in(2) : is_calm_ || !one_in(5)) return;
    when += world_.up_to(40s);
    at(when, [=, &host] { host.withdraw(task); });
    if (one_in(2)) at(when + world_.up_to(one_in(2) ? 10s : 150s), [=, &host] { host.submit_again(task); });
}

void History::add_faults() {
    for (std::uint32_t left = is_calm_ ? 0 : is_forgetful_ ? 1 + below(6) : below(4); left > 0; --left)
        at(3s + world_.up_to(fault_time), [this] { fault(); });
}

void History::fault() {
    Host& host = any_host();
    if (is_forgetful_) {
        if (one_in(4)) return restart_engine(false);
        return one_in(6) ? host.suspend(world_.up_to(4s)) : lose_any_record();
    }
    Duration span = world_.up_to(one_in(2) ? 8s : 110s);
    switch (below(8)) {
        case 0:
            return kill();
        case 1:
            return one_in(2) ? host.suspend(span)
                             : host.soon(below(12), [&host, span] { host.suspend(span); });
        case 2:
            return host.cut(Link::out, span, one_in(2));
        case 3:
            return host.cut(Link::in, span, one_in(2));
        case 4:
            host.cut(Link::out, span, true);
            return host.cut(Link::in, span, false);
        case 5:
            return one_in(2) ? host.stop() : host.lose_connection();
        case 6:
            return lose_any_record();
        default:
            return restart_engine(one_in(3));
    }
}

void History::kill() {
    Host& host = any_host();
    auto death = static_cast<Host::Death>(below(3));
    if (one_in(2)) return host.kill(death);
    if (host.number() != 0 && one_in(4)) return host.bury();
    host.soon(below(12), [&host, death] { host.kill(death); });
}

void History::lose_any_record() {
    if (auto task = world_.engine.any_record()) lose_record(*task);
}

void History::lose_record(const TaskId& task) {
    if (!world_.engine.lose_record(task)) return;
    if (world_.is_verbose) print(world_.agenda.now(), "engine", "loses the record of " + task.text());
    world_.oracle.record_lost(task, is_forgetful_);
}

// Often with what it was about, so that the submitter finds neither.
void History::lose_notice(const TaskId& task) {
    if (world_.is_verbose) print(world_.agenda.now(), "engine", "loses a notice of " + task.text());
    world_.oracle.notice_lost(task);
    if (one_in(2)) at(world_.up_to(4s), [this, task] { lose_record(task); });
}

// An edge remembers for that long, by the fastest clock, which tasks it has ended. If the engine has lost a
// record, its notice and the removal of the message, nobody knows of the end after that. A message that was
// published again is none of these: its submitter has asked before.
void History::judge_return(const TaskId& task) {
    constexpr Duration memory = Duration(75s) * 1000 / (1000 + Host::most_skew);
    auto end = ends_.find(task);
    const bool is_late = end != ends_.end() && world_.agenda.now() >= end->second + memory;
    if (is_late && world_.engine.has_returned(task)) world_.oracle.came_back_late(task);
}

void History::restart_engine(bool wipes) {
    if (world_.is_verbose) print(world_.agenda.now(), "engine", wipes ? "is wiped" : "restarts");
    if (wipes)
        world_.engine.wipe();
    else
        world_.engine.restart(is_forgetful_);
    world_.engine_up = world_.agenda.now() + world_.up_to(!is_forgetful_ && one_in(4) ? 60s : 3s);
    for (auto& host : world_.hosts)
        host->lose_connection();
}

void History::give_up() {
    for (auto& host : world_.hosts)
        host->give_up();
}

void History::end_faults() {
    for (auto& host : world_.hosts)
        host->heal();
}

// Without agents, what a host that is gone has left stays.
bool History::is_queue_empty() const {
    return is_left_alone_ || world_.engine.queued().empty();
}

bool History::is_quiet() const {
    return is_queue_empty() &&
           std::ranges::all_of(world_.hosts, [](const auto& host) { return host->is_quiet(); });
}

std::string History::result() {
    world_.oracle.check_end();
    if (!world_.oracle.violation().empty()) return world_.oracle.violation();
    std::string pending;
    for (const auto& host : world_.hosts)
        if (!host->is_quiet()) pending += host->pending() + "; ";
    if (!is_queue_empty()) pending += "the engine still queues " + world_.engine.queued().front().text();
    return pending;
}

std::string History::run() {
    is_calm_ = one_in(8);
    is_forgetful_ = world_.is_steady = !is_calm_ && one_in(4);
    world_.is_shared = !is_forgetful_ && one_in(4);
    world_.is_steady |= is_calm_ && world_.is_shared;
    is_left_alone_ = !is_calm_ && !is_forgetful_ && one_in(20);
    if (is_calm_) world_.oracle.expect_no_loss();
    connect_engine();
    add_hosts();
    add_tasks();
    add_faults();
    at(end_of_faults, [this] { end_faults(); });
    if (is_left_alone_) {
        at(3s + world_.up_to(fault_time), [this] { world_.hosts[0]->bury(); });
        at(end_of_faults + 400s, [this] { give_up(); });
    }
    world_.agenda.run_until(Time{} + end_of_faults);
    for (int minutes = 0; minutes < 60 && !is_quiet() && world_.oracle.violation().empty(); ++minutes)
        world_.agenda.run_until(world_.agenda.now() + 60s);
    return result();
}

}  // namespace

std::string run_history(std::uint32_t seed, bool is_verbose) {
    return History(seed, is_verbose).run();
}

}  // namespace hosts
