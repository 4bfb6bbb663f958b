#include "model.hpp"

namespace model {

using base::concat;

namespace {

constexpr std::size_t most_agents = 10;
constexpr std::size_t most_open = 24;
constexpr std::chrono::seconds settle_limit{20};

io::Directory open(const std::string& path) {
    auto opened = io::Directory::open(path);
    must(opened.has_value(), "the test can't open ", path);
    return std::move(*opened);
}

}  // namespace

Chapter::Chapter(std::uint64_t seed) : draw_(seed), is_timed_(draw_.one_in(3)) {
    while (!pool_.is_served())
        start();
    const auto& directory = pool_.directory();
    crew_.emplace(open(directory.agents()), open(directory.scratch()), oracle_, story_, draw_);
    submitters_.emplace(open(directory.submissions()), open(directory.scratch()),
                        directory.path + "/daemon.sock", oracle_, story_, draw_, is_timed_);
    strangers_.emplace(directory);
}

void Chapter::run(std::uint64_t operations) {
    while (story_.operations() < operations)
        step();
    settle();
}

Crew::Daemon Chapter::daemon_may() const {
    return is_timed_ ? Crew::Daemon::sends_heartbeats : Crew::Daemon::serves;
}

void Chapter::step() {
    operate();
    if (!pool_.is_served()) return try_to_start();
    turn_the_loop();
    if (pool_.is_served() && draw_.one_in(6)) quiet();
    if (pool_.is_served()) change_of_life();
}

// As many agents come as there is work.
void Chapter::operate() {
    bool is_full = oracle_.open().size() > most_open;
    std::uint32_t who = draw_.below(is_full ? 50 : 100);
    if (who < 15 && crew_->size() < most_agents) return crew_->join();
    if (who < 50) return crew_->act();
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
    if (steps > 0) crew_->look(daemon_may());
}

// False: there was nothing to do, or that was the daemon's end.
bool Chapter::turn(Calls calls) {
    switch (pool_.poll_one(calls)) {
        case ServedPool::Step::done:
            // What is given may be taken away again a moment later.
            if (is_timed_) crew_->look(daemon_may());
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
    if (draining_ && (pool_.asks_to_stop() || draw_.one_in(100))) return stop();
    if (draining_ || !draw_.one_in(4000)) return;
    story_.operation("the daemon is told to drain");
    draining_ = true;
    oracle_.begins_to_close();
    pool_.drain();
    crew_->look(daemon_may());
}

void Chapter::start() {
    pool_daemon::Options options;
    options.heartbeats = is_timed_ && draw_.one_in(3);
    options.idle_timeout = std::chrono::milliseconds(3 + draw_.below(5));
    Calls calls = draw_.one_in(4) ? Calls(draw_.below(24)) : std::nullopt;
    oracle_.started();
    bool started = pool_.start(options, calls);
    story_.operation("the daemon is started", started ? "" : ", and killed");
    if (crew_) crew_->look(daemon_may());
    if (!started && crew_) daemon_ended(false);
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
    crew_->look(in_order ? Crew::Daemon::closes : daemon_may());
    submitters_->daemon_ended();
    oracle_.ended(in_order);
    crew_->daemon_ended();
    draining_ = false;
    downtime_ = draw_.below(8);
}

// Mostly everybody hears of it at once.
void Chapter::stop() {
    story_.operation("the daemon is stopped");
    oracle_.begins_to_close();
    bool all_listen = !draw_.one_in(60);
    pool_.stop([&] {
        crew_->look(Crew::Daemon::closes);
        submitters_->receive_from_one_that_closes();
        if (all_listen) crew_->read_kicks();
    });
    daemon_ended(true);
}

void Chapter::quiet() {
    do {
        while (turn({})) {
        }
    } while (submitters_->receive() || crew_->look(daemon_may()));
    submitters_->quiet();
    crew_->quiet();
    oracle_.quiet(crew_->somebody_waits());
}

void Chapter::settle() {
    story_.note("everything is brought to its end");
    if (draining_) stop();
    while (!pool_.is_served())
        start();
    auto begun = Clock::now();
    for (quiet(); !oracle_.open().empty(); quiet()) {
        must(Clock::now() - begun < settle_limit, oracle_.open().begin()->first, " does not come to an end");
        crew_->finish_work();
        submitters_->ask_for_all();
        quiet();
        if (!oracle_.open().empty() && !crew_->somebody_waits()) crew_->join();
    }
    submitters_->fetch_kept();
    for (quiet(); crew_->size() > 0; quiet()) {
        must(Clock::now() - begun < settle_limit, "an agent does not come to its end");
        crew_->finish_work();
        crew_->go_home();
    }
    submitters_->close_all();
    quiet();
    strangers_->check_nothing_else_is_left();
}

}  // namespace model
