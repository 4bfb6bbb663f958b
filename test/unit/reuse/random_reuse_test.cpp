// Random runs that reuse the results of random earlier ones, in any state and of other configs, held against
// a model that knows no machine; how many, and which, as seeds.hpp says.
#include "reuse/results.hpp"
#include "reuse_world.hpp"
#include "seeds.hpp"
#include "statelog/record.hpp"
#include "statelog/replay.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <deque>
#include <set>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

using namespace reuse_test;
using workflow::TaskId;
using workflow_test::Random;

namespace {

struct RuleBroken : std::runtime_error {
    using std::runtime_error::runtime_error;
};

void must(bool holds, const char* rule) {
    if (!holds) throw RuleBroken(rule);
}

// What a log says, read by itself.
struct LoggedTask {
    What what;
    std::optional<TaskId> parent;
    std::optional<TaskId> finally_for;
    bool succeeded = false;
    bool dropped = false;
    bool was_made = false;  // an attempt that has ended
    std::optional<workflow::ReusedFrom> reused;
};

struct History {
    std::map<TaskId, LoggedTask> tasks;
    std::vector<TaskId> successes;  // in the order of the log

    void add(const workflow::Entry& entry) {
        if (const auto* completed = std::get_if<workflow::TaskCompleted>(&entry)) {
            LoggedTask& task = tasks.at(completed->task);
            const auto* failed = std::get_if<workflow::Failed>(&completed->outcome);
            task.succeeded = failed == nullptr;
            task.dropped = failed && !failed->retry;
            task.was_made = !completed->reused;
            if (completed->reused) task.reused = *completed->reused;
            if (task.succeeded) successes.push_back(completed->task);
            return;
        }
        const auto& submitted = std::get<workflow::TaskSubmitted>(entry);
        LoggedTask task;
        task.parent = submitted.parent;
        if (auto* retry = std::get_if<workflow::Retry>(&submitted.origin))
            task.finally_for = tasks.at(retry->replaces).finally_for;
        if (auto* finally = std::get_if<workflow::Finally>(&submitted.origin))
            task.finally_for = finally->finally_for;
        task.what = what_of(submitted.step, task.finally_for.has_value(), *submitted.value);
        tasks.emplace(submitted.task, task);
    }

    // The tasks at which, or below which, an attempt was made. A finally is not below its task, but beside
    // it.
    std::set<TaskId> made() const {
        std::set<TaskId> found;
        for (const auto& [id, task] : tasks)
            for (auto at = task.was_made ? std::optional(id) : std::nullopt; at; at = tasks.at(*at).parent)
                found.insert(*at);
        return found;
    }
};

// The first line of a log, with the config. It is parsed only once, however many logs begin with it.
class Beginning {
  public:
    explicit Beginning(const std::string& config_text) {
        statelog::append_header(text_, {config_text, "/", "run", first_tasks.size()}, {});
        parsed_.feed(text_).value();
    }
    Beginning(const Beginning&) = delete;
    Beginning& operator=(const Beginning&) = delete;

    const std::string& text() const { return text_; }
    const config::WorkflowConfig& config() const { return *parsed_.config(); }

    // Replays a log that begins with this line.
    statelog::Replay replay(std::string_view log, statelog::Replay::Observer observer) {
        must(log.starts_with(text_), "a log begins with its config");
        observer_ = std::move(observer);
        statelog::Replay replay = parsed_;
        replay.feed(log.substr(text_.size())).value();
        return replay;
    }

  private:
    std::string text_;
    statelog::Replay::Observer observer_;
    statelog::Replay parsed_{"LOG", [this](const auto& of, const auto& record) { observer_(of, record); }};
};

Beginning& beginning_of(const World& world) {
    static std::unordered_map<std::string, Beginning> known;
    std::string text = world.config_text();
    return known.try_emplace(text, text).first->second;
}

// The results of the run that has left this log.
reuse::Results results_of(Beginning& beginning, std::string_view log, const config::WorkflowConfig& now) {
    auto read = [&](std::string_view text, reuse::Results& results) {
        auto add = [&](const auto& of, const auto& record) { results.add(of, record); };
        return beginning.replay(text, add).finish().value();
    };
    reuse::Results results(now);
    auto tail = read(log, results);
    if (!tail.torn_group) return results;
    reuse::Results whole(now);
    read(log.substr(0, tail.committed_bytes), whole);
    return whole;
}

// A run without a shell, whose log is a string.
class Run {
  public:
    Run(const World& world, Random& random, const Run* earlier)
        : world_(world), random_(random), beginning_(&beginning_of(world)), log_(beginning_->text()) {
        std::vector<config::NewTask> tasks;
        for (const What& what : first_tasks)
            tasks.push_back(task_of(what, random.one_in(2)));
        state_.emplace(config());
        if (earlier) earlier_results_ = results_of(*earlier->beginning_, earlier->log_, config());
        results_ = earlier_results_;
        commit(workflow::decide_initial(*state_, std::move(tasks)));
        initial_bytes_ = log_.size();
    }

    bool over() const { return state_->over(); }
    const History& history() const { return history_; }

    // `fails`: whether tasks fail at random, also for good.
    void step(bool fails) {
        if (results_) reuse();
        if (over()) return;
        while (running_.size() < 3) {
            auto task = workflow::take_ready(config(), *state_);
            if (!task) break;
            running_.push_back(*task);
        }
        std::uint32_t index = random_.below(running_.size() + state_->asked.size());
        if (index >= running_.size())
            return answer(
                *std::next(state_->asked.begin(), static_cast<std::ptrdiff_t>(index - running_.size())),
                fails);
        TaskId id = running_[index];
        running_.erase(running_.begin() + index);
        commit(workflow::decide(config(), *state_, id, outcome(id, fails)));
    }

    // Kills it in the middle of a write, and resumes it.
    void crash() {
        log_.resize(initial_bytes_ + random_.below(log_.size() - initial_bytes_ + 1));
        running_.clear();
        unseen_.clear();
        replay_all();
        for (const auto& group : workflow::decide_due(*state_))
            commit(group);
    }

    void check_end() const {
        std::map<What, std::uint32_t> done, dropped, expected_done, expected_dropped;
        for (const auto& [id, task] : history_.tasks) {
            if (task.succeeded) ++done[task.what];
            if (task.dropped) ++dropped[task.what];
        }
        for (const What& what : first_tasks)
            world_.expect(what, expected_done, expected_dropped);
        must(done == expected_done, "what a run from scratch does is done, as often");
        must(dropped == expected_dropped, "what a run from scratch drops is dropped, as often");
    }

  private:
    const config::WorkflowConfig& config() const { return beginning_->config(); }

    // A person answers, or rejects the task, which is not tried again.
    void answer(TaskId id, bool fails) {
        commit(workflow::decide_answered(config(), *state_, id, outcome(id, fails), {"ann"}));
    }

    void replay_all() {
        std::vector<TaskId> taken;
        for (bool is_torn = true; is_torn;) {
            history_ = {};
            taken.clear();
            auto add = [&](const statelog::Replay&, const statelog::Record& record) {
                history_.add(record.entry);
                const auto* completed = std::get_if<workflow::TaskCompleted>(&record.entry);
                if (completed && completed->reused) taken.push_back(completed->reused->task);
            };
            statelog::Replay replay = beginning_->replay(log_, add);
            auto tail = replay.finish().value();
            log_.resize(tail.committed_bytes);
            is_torn = tail.torn_group;
            state_ = replay.take_state();
        }
        for (const auto& [id, task] : state_->tasks)
            if (task.status == workflow::Task::Status::ready || state_->asked.contains(id))
                unseen_.push_back(id);
        std::ranges::sort(unseen_);
        results_ = earlier_results_;
        if (results_) results_->mark_taken(taken);
    }

    void reuse() {
        while (!unseen_.empty()) {
            TaskId id = unseen_.front();
            unseen_.pop_front();
            const workflow::Task& task = *state_->find(id);
            if (task.has_run) continue;
            auto found = results_->take(task, {}).value();
            if (found)
                commit(workflow::decide_reused(config(), *state_, id,
                                               {std::move(found->next), {"earlier", found->task}}));
        }
    }

    workflow::AttemptResult outcome(TaskId id, bool fails) {
        const workflow::Task& task = *state_->find(id);
        What what = what_of(task.step, task.finally_for.has_value(), *task.value);
        bool is_asked = state_->asked.contains(id);
        bool at_random = fails ? random_.one_in(3) : !is_asked && task.attempt < 3 && random_.one_in(6);
        if (is_asked && (world_.is_broken(what) || at_random))
            return workflow::Failure{workflow::Failure::Kind::rejected, "no", {}, {}, ""};
        if (world_.is_broken(what) || at_random) return workflow::Failure{};
        std::vector<config::NewTask> next;
        for (const What& child : world_.children(what))
            next.push_back(task_of(child, random_.one_in(2)));
        return next;
    }

    void commit(const workflow::Group& group) {
        for (const workflow::Entry& entry : group) {
            workflow::apply(config(), *state_, entry).value();
            history_.add(entry);
            statelog::append_record(log_, config(), entry, {});
            if (auto* submitted = std::get_if<workflow::TaskSubmitted>(&entry))
                unseen_.push_back(submitted->task);
        }
    }

    const World& world_;
    Random& random_;
    Beginning* beginning_;
    std::string log_;
    std::size_t initial_bytes_ = 0;  // that a run always has
    std::optional<workflow::State> state_;
    std::optional<reuse::Results> earlier_results_;  // none taken
    std::optional<reuse::Results> results_;
    std::deque<TaskId> unseen_;
    std::vector<TaskId> running_;
    History history_;
};

// A run as it is when another one reuses it: at its end, in the middle, or killed; perhaps resumed before.
Run earlier_run(const World& world, Random& random) {
    Run run(world, random, nullptr);
    for (std::uint32_t steps = random.below(80); steps > 0 && !run.over(); --steps) {
        run.step(true);
        if (random.one_in(40)) run.crash();
    }
    if (random.one_in(2)) run.crash();
    return run;
}

void check_reuse(const History& earlier, const World& before, const History& later, const World& now) {
    std::map<What, std::vector<TaskId>> results;
    for (TaskId id : earlier.successes)
        if (const What& what = earlier.tasks.at(id).what; now.has_same(before, what.step))
            results[what].push_back(id);
    std::map<What, std::size_t> taken;
    for (TaskId id : later.successes) {
        const LoggedTask& task = later.tasks.at(id);
        if (!task.reused) continue;
        must(results.contains(task.what), "what is reused has succeeded, in the same step");
        const auto& equal = results.at(task.what);
        std::size_t turn = std::min(taken[task.what]++, equal.size() - 1);
        must(task.reused->task == equal[turn], "equal tasks take the results in their order");
    }
    std::set<TaskId> made = later.made();
    for (const auto& [id, task] : later.tasks) {
        bool ran_below = task.finally_for && made.contains(*task.finally_for);
        if (task.reused) must(!ran_below, "a finally runs if anything before it has");
        if (task.was_made && !ran_below)
            must(!results.contains(task.what), "nothing that has succeeded runs again");
    }
}

void check_seed(std::uint32_t seed) {
    Random random(seed);
    World before = random_world(random);
    World now = random.one_in(3) ? before : changed(before, random);
    Run earlier = earlier_run(before, random);
    Run later(now, random, &earlier);
    while (!later.over()) {
        later.step(false);
        if (random.one_in(20)) later.crash();
    }
    later.check_end();
    check_reuse(earlier.history(), before, later.history(), now);
}

}  // namespace

TEST_CASE("runs that reuse results end as runs from scratch, and nothing that has succeeded runs again") {
    workflow_test::for_each_seed(workflow_test::scaled(5'000, 1'000), {}, check_seed);
}
