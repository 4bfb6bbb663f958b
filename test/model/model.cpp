#include "model.hpp"

#include "world_clock.hpp"

namespace model {

using base::concat;

namespace {

constexpr std::size_t most_agents = 10;
constexpr std::size_t most_open = 24;
constexpr std::chrono::seconds settle_limit{150};
constexpr std::chrono::milliseconds step_of_time{100};
// After a disk was full: by then all that failed was tried again.
constexpr std::chrono::milliseconds disk_rest{7000};

io::Directory open(const std::string& path) {
    auto opened = io::Directory::open(path);
    must(opened.has_value(), "the test can't open ", path);
    return std::move(*opened);
}

}  // namespace

Chapter::Chapter(std::uint64_t seed) : draw_(seed), is_timed_(draw_.one_in(3)) {
    world_clock::begin();
    while (!pool_.is_served())
        start();
    const auto& directory = pool_.directory();
    fleet_.emplace(open(directory.agents()), open(directory.scratch()), directory.path + "/daemon.sock",
                   oracle_, story_, draw_);
    fleet_->daemon_started();
    submitters_.emplace(open(directory.submissions()), open(directory.scratch()),
                        directory.path + "/daemon.sock", oracle_, story_, draw_, is_timed_);
    strangers_.emplace(directory);
}

void Chapter::run(std::uint64_t operations) {
    while (story_.operations() < operations)
        step();
    settle();
}

Fleet::Daemon Chapter::daemon_may() const {
    return is_timed_ ? Fleet::Daemon::sends_heartbeats : Fleet::Daemon::serves;
}

void Chapter::step() {
    operate();
    if (disk_full_for_ > 0) {
        --disk_full_for_;
        if (disk_full_for_ == 0) free_disk();
    }
    pass_time();
    if (!pool_.is_served()) return try_to_start();
    turn_the_loop();
    if (pool_.is_served() && disk_full_for_ == 0 && draw_.one_in(6)) quiet();
    if (pool_.is_served()) change_of_life();
}

// Mostly a little, as an operation takes; now and then so much that deadlines pass.
void Chapter::pass_time() {
    std::uint32_t how = draw_.below(400);
    if (how > 20) {
        world_clock::pass(std::chrono::microseconds(draw_.below(200)));
        return fleet_->time_has_passed();
    }
    if (how > 0) return pass(std::chrono::milliseconds(draw_.below(how > 4 ? 300 : 8000)));
    if (pool_.is_served() && draw_.one_in(2)) suspend();
}

void Chapter::pass(std::chrono::milliseconds time) {
    if (pool_.is_served()) submitters_->prepare_for(time);
    for (auto left = time; left.count() > 0; left -= step_of_time) {
        world_clock::pass(std::min(left, step_of_time));
        fleet_->time_has_passed();
        if (!pool_.is_served()) continue;
        while (pool_.is_served() && turn({})) {
        }
        fleet_->look(daemon_may());
    }
}

void Chapter::suspend() {
    std::chrono::milliseconds time(2000 + draw_.below(20'000));
    submitters_->prepare_for(time);
    while (turn({})) {
    }
    if (!pool_.is_served()) return;
    story_.operation("the daemon is suspended for ", time.count(), " ms");
    world_clock::suspend(time);
}

void Chapter::fill_disk() {
    story_.operation("the disk is full");
    disk_full_for_ = 1 + draw_.below(30);
    pool_.set_disk_full(true);
    fleet_->set_disk_full(true);
    fleet_->look(daemon_may());
}

// Then what was put off is done.
void Chapter::free_disk() {
    story_.note("the disk has room again");
    disk_full_for_ = 0;
    fleet_->look(daemon_may());
    pool_.set_disk_full(false);
    fleet_->set_disk_full(false);
    pass(disk_rest);
    oracle_.order_is_lost();
    fleet_->order_is_lost();
}

// As many agents come as there is work.
void Chapter::operate() {
    bool is_full = oracle_.open().size() > most_open;
    std::uint32_t who = draw_.below(is_full ? 50 : 100);
    if (who < 15 && fleet_->size() < most_agents) return fleet_->join();
    if (who < 50) return fleet_->act(pool_.is_served());
    if (who < 70 || !pool_.is_served()) return submitters_->act_by_file();
    submitters_->act_by_socket();
}

// Nothing, a few steps of it, or all there is to do; now and then it comes to a kill.
void Chapter::turn_the_loop() {
    std::uint32_t how = draw_.below(10);
    std::uint32_t steps = how < 3 ? 0 : how < 7 ? 1 + draw_.below(4) : 1000;
    std::uint32_t killed_in = draw_.one_in(100) ? 1 + draw_.below(3) : 0;
    for (std::uint32_t i = 1; i <= steps; ++i)
        if (!turn(i == killed_in ? Calls(draw_.below(12)) : std::nullopt)) break;
    if (steps > 0) fleet_->look(daemon_may());
}

// False: there was nothing to do, or that was the daemon's end.
bool Chapter::turn(Calls calls) {
    switch (pool_.poll_one(calls)) {
        case ServedPool::Step::done:
            // What is given may be taken away again a moment later.
            fleet_->look(daemon_may());
            return true;
        case ServedPool::Step::nothing_to_do:
            return false;
        case ServedPool::Step::killed:
            break;
    }
    story_.operation("the daemon is killed at work");
    daemon_ended(false);
    return false;
}

void Chapter::change_of_life() {
    if (draw_.one_in(300)) return kill();
    if (draw_.one_in(4000)) return stop();
    if (!draining_ && draw_.one_in(400)) return hand_over();
    if (disk_full_for_ == 0 && draw_.one_in(1000)) return fill_disk();
    if (draining_ && (pool_.asks_to_stop() || draw_.one_in(100))) return stop();
    if (draining_ || !draw_.one_in(4000)) return;
    story_.operation("the daemon is told to drain");
    draining_ = true;
    oracle_.begins_to_close();
    pool_.drain();
    fleet_->look(daemon_may());
}

void Chapter::start() {
    pool_daemon::Options options;
    options.heartbeats = is_timed_ && draw_.one_in(3);
    options.idle_timeout = std::chrono::milliseconds(3 + draw_.below(draw_.one_in(2) ? 5 : 3000));
    Calls calls = draw_.one_in(4) ? Calls(draw_.below(24)) : std::nullopt;
    oracle_.started();
    using Start = ServedPool::Start;
    Start how = pool_.start(options, calls);
    bool started = how == Start::done;
    story_.operation("the daemon is started", started                ? ""
                                              : how == Start::killed ? ", and killed"
                                                                     : ", and fails");
    if (fleet_) fleet_->daemon_started();
    if (fleet_) fleet_->look(daemon_may());
    if (!started && fleet_) daemon_ended(false);
}

void Chapter::try_to_start() {
    if (downtime_ > 0)
        --downtime_;
    else
        start();
}

void Chapter::kill() {
    story_.operation("the daemon is killed");
    pool_.kill();
    daemon_ended(false);
}

void Chapter::daemon_ended(bool in_order) {
    fleet_->look(in_order ? Fleet::Daemon::closes : daemon_may());
    submitters_->daemon_ended();
    if (disk_full_for_ > 0) oracle_.answers_may_be_lost();
    oracle_.ended(in_order);
    fleet_->daemon_ended();
    draining_ = false;
    downtime_ = draw_.below(8);
}

// Mostly everybody hears of it at once.
void Chapter::stop() {
    story_.operation("the daemon is stopped");
    oracle_.begins_to_close();
    bool all_listen = !draw_.one_in(60);
    pool_.stop([&] {
        fleet_->time_has_passed();
        fleet_->look(Fleet::Daemon::closes);
        submitters_->receive_from_one_that_closes();
        if (all_listen) fleet_->read_kicks();
    });
    daemon_ended(true);
}

// Nobody is sent away, unless there is nobody to keep the pool for: then it is a stop.
void Chapter::hand_over() {
    story_.operation("the daemon hands over");
    bool has_agents = pool_.agents() > 0;
    if (!has_agents) oracle_.begins_to_close();
    oracle_.begins_to_hand_over();
    auto may = has_agents ? daemon_may() : Fleet::Daemon::closes;
    pool_.hand_over([&] {
        fleet_->time_has_passed();
        fleet_->look(may);
        submitters_->receive_from_one_that_closes();
    });
    daemon_ended(!has_agents);
}

void Chapter::quiet() {
    do {
        while (turn({})) {
        }
    } while (submitters_->receive() || fleet_->look(daemon_may()));
    submitters_->quiet();
    fleet_->quiet();
    oracle_.quiet(fleet_->waiting());
}

void Chapter::settle() {
    story_.note("everything is brought to its end");
    if (disk_full_for_ > 0) free_disk();
    if (draining_) stop();
    while (!pool_.is_served())
        start();
    auto begun = Clock::now();
    for (quiet(); !oracle_.open().empty(); quiet()) {
        must(Clock::now() - begun < settle_limit, oracle_.open().begin()->first, " does not come to an end");
        fleet_->finish_work();
        submitters_->ask_for_all();
        quiet();
        pass(std::chrono::seconds(1));
        if (!oracle_.open().empty() && !fleet_->somebody_waits_for_anything()) fleet_->join_for_anything();
    }
    submitters_->fetch_kept();
    for (quiet(); fleet_->size() > 0; quiet()) {
        must(Clock::now() - begun < settle_limit, "an agent does not come to its end");
        fleet_->finish_work();
        fleet_->go_home();
        pass(std::chrono::seconds(1));
    }
    submitters_->close_all();
    quiet();
    strangers_->check_nothing_else_is_left();
}

}  // namespace model
