// Random runs against the model; how many, and which, as random.hpp says (1000000 for a thorough look).
#include "run_model.hpp"
#include "seeds.hpp"
#include "workflow/bounds.hpp"
#include "workflow/hooks.hpp"
#include "workflow/persons_answer.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

using namespace workflow_test;
using Kind = Failure::Kind;

namespace {

constexpr std::uint32_t step_count = 4;
constexpr std::uint32_t largest_tree = 200;  // without the finallys that are due at its end

config::Step random_step(Random& random, std::uint32_t index) {
    std::string name = std::to_string(index);
    bool is_human = random.one_in(4);
    auto step = is_human ? human_step(name) : random.one_in(2) ? command_step(name) : pool_step(name);
    for (std::uint32_t next = 0; next < step_count; ++next)
        step.next.push_back({next});
    if (!is_human && random.one_in(4)) step.pre = config::Command{"true"};
    if (!is_human && random.one_in(4)) step.post = config::Command{"true"};
    if (random.one_in(2)) step.finally = config::Command{"true"};
    if (!step.finally && random.one_in(4))
        step.gather = config::Gather{{random.below(step_count)}, {{random.below(step_count)}}};
    step.options.max_retries = random.below(3);
    step.options.retry_on_timeout = !random.one_in(4);
    step.options.retry_on_invalid_response = !random.one_in(4);
    if (random.one_in(3)) step.options.max_concurrency = 1 + random.below(3);
    if (random.one_in(2)) step.options.priority = static_cast<std::int32_t>(random.below(3)) - 1;
    if (random.one_in(2)) step.options.serial_key = config::ValuePlace{"/1", {"1"}};
    if (random.one_in(2)) step.options.retry_backoff.emplace().initial = std::chrono::seconds(1);
    step.options.retry_feedback = !random.one_in(4);
    return step;
}

config::WorkflowConfig random_config(Random& random) {
    std::vector<config::Step> steps;
    for (std::uint32_t i = 0; i < step_count; ++i)
        steps.push_back(random_step(random, i));
    auto config = workflow_of(std::move(steps));
    if (random.one_in(2)) config.max_concurrency = 1 + random.below(4);
    if (random.one_in(4)) config.bounds.max_tasks = 1 + random.below(30);
    if (random.one_in(4)) config.bounds.max_depth = 1 + random.below(6);
    return config;
}

using Told = std::map<TaskId, std::vector<PreviousAttempt>>;

Told told(const State& state) {
    Told told;
    for (const auto& [id, attempts] : state.previous_attempts)
        told.emplace(id, *attempts);
    return told;
}

std::set<TaskId> live_tasks(const State& state) {
    std::set<TaskId> ids;
    for (const auto& [id, task] : state.tasks)
        ids.insert(id);
    return ids;
}

// One random run, with the machine and the model side by side.
class RandomRun {
  public:
    explicit RandomRun(std::uint32_t seed)
        : random_(seed),
          run_(random_config(random_)),
          model_(run_.config),
          limit_(1 + random_.below(largest_tree)) {}

    void play() {
        begin();
        while (!model_.over())
            step();
        model_.check_end();
        must(run_.state.running == 0, "no slot is held at the end");
        must(run_.state.previous_attempts.empty(), "nothing is kept of attempts at the end");
        if (random_.one_in(8)) replay();
    }

    void begin() {
        run_.apply_all(decide_initial(run_.state, random_tasks(1)));
        model_.begun(run_.history);
    }

    void step() {
        if (ends_in_time_ && random_.one_in(40)) end_time();
        drop_past_bounds();
        if (model_.over()) return;
        bool taken = false;
        if (random_.one_in(50)) kill();
        if (!model_.asked().empty() && random_.one_in(6)) return answer_one();
        if (!random_.one_in(3)) taken = take(!random_.one_in(4));
        if (!taken && !model_.waiting().empty() && random_.one_in(3))
            make_one_due();
        else if (!taken && !model_.running().empty() && random_.one_in(8))
            put_one_back();
        else if (!taken && !model_.running().empty())
            end_one();
        else if (!taken && !take(true))
            must(!model_.waiting().empty() || !model_.asked().empty(),
                 "something is always to be done, or waits, until the run is over");
        check();
    }

    const Run& run() const { return run_; }
    bool over() const { return model_.over(); }

  private:
    bool take(bool local_allowed) {
        auto task = take_ready(run_.config, run_.state, local_allowed);
        model_.taken(task, local_allowed);
        return task.has_value();
    }

    void check() const {
        must(run_.state.over() == model_.over(), "a run is over when all its tasks are");
        must(run_.state.running == model_.running().size(), "slots are counted");
        model_.check_asked(run_.state);
    }

    // Goes on with what the history says, from which a finally at its end may be missing.
    void kill() {
        Group left = run_.history;
        const auto* last = std::get_if<TaskSubmitted>(&left.back());
        if (last && std::holds_alternative<Finally>(last->origin) && random_.one_in(2)) left.pop_back();
        Run resumed(run_.config);
        resumed.apply_all(left);
        for (const Group& due : decide_due(resumed.state))
            resumed.apply_all(due);
        must(resumed.history.size() == run_.history.size(), "a finally that is due comes after a kill");
        must(live_tasks(resumed.state) == live_tasks(run_.state), "a kill loses no task");
        must(told(resumed.state) == told(run_.state), "a kill loses no attempt that a retry is told of");
        run_.state = std::move(resumed.state);
        run_.history = std::move(resumed.history);
        model_.killed();
    }

    void answer_one() {
        TaskId task = random_.of(model_.asked());
        Expected expected;
        switch (random_.below(4)) {
            case 0:
                expected.failure = Kind::expired;
                model_.answered(task, expected, run_.end(task, expired_failure()));
                break;
            case 1:
                expected.failure = Kind::rejected;
                model_.answered(task, expected, run_.answer(task, failure(Kind::rejected)));
                break;
            default:
                expected.next = random_tasks(0);
                model_.answered(task, expected, run_.answer(task, expected.next));
        }
        check();
    }

    // What is past a bound is dropped before anything else is started, as a run does.
    void drop_past_bounds() {
        if (!run_.config.bounds.any() && !time_is_up_) return;
        for (auto task = model_.past_bound(time_is_up_); task; task = model_.past_bound(time_is_up_)) {
            auto failure = past_bound(run_.config.bounds, run_.task(*task), time_is_up_);
            must(failure.has_value(), "what is past a bound is known");
            model_.dropped(*task, run_.end(*task, std::move(*failure)));
        }
        for (const auto& [id, task] : run_.state.tasks)
            must((task.status != Task::Status::ready && task.status != Task::Status::asked) ||
                     !past_bound(run_.config.bounds, task, time_is_up_),
                 "what is within the bounds is not dropped");
    }

    void end_time() {
        time_is_up_ = true;
        while (!model_.waiting().empty())
            make_one_due();
    }

    void make_one_due() {
        TaskId task = random_.of(model_.waiting());
        make_due(run_.state, task);
        model_.due(task);
    }

    void put_one_back() {
        TaskId task = random_.of(model_.running());
        put_back(run_.state, task);
        model_.put_back(task);
    }

    void end_one() {
        TaskId task = random_.of(model_.running());
        Expected expected;
        AttemptResult result = model_.is_finally(task) ? without_post(random_action("finally"), expected)
                                                       : random_attempt(model_.step(task), expected);
        Group group = run_.end(task, result);
        model_.ended(task, expected, group);
        check_feedback(result, group);
        delay_retry(group, model_.step(task));
    }

    // What the retry is told: the last three attempts, of which this was the last.
    void check_feedback(const AttemptResult& result, const Group& group) {
        const auto& completed = std::get<TaskCompleted>(group.front());
        auto* failed = std::get_if<Failed>(&completed.outcome);
        must(run_.state.previous_of(completed.task) == nullptr, "only live retries are told of attempts");
        if (!failed || !failed->retry) return;
        auto told = run_.state.previous_of(*failed->retry);
        const Task& task = run_.task(*failed->retry);
        const auto& options = run_.config.step(task.step).options;
        must((told != nullptr) == options.retry_feedback, "a retry is told of attempts as its step says");
        if (!told) return;
        const auto& failure = std::get<Failure>(result);
        must(told->size() == std::min<std::size_t>(3, task.attempt - 1), "three attempts are told of");
        for (std::size_t i = 0; i < told->size(); ++i)
            must((*told)[i].attempt == task.attempt - told->size() + i, "the last ones, in their order");
        must(told->back().error == failure.message && told->back().response == failure.response,
             "an attempt is told as it ended");
    }

    void delay_retry(const Group& group, const config::Step& step) {
        auto* failed = std::get_if<Failed>(&std::get<TaskCompleted>(group.front()).outcome);
        if (!failed || !failed->retry) return;
        bool waits = retry_delay(run_.config, run_.state, *failed->retry).has_value();
        must(waits == step.options.retry_backoff.has_value(),
             "a retry waits if and only if its step says so");
        if (!waits) return;
        delay(run_.state, *failed->retry);
        model_.delayed(*failed->retry);
    }

    std::vector<config::NewTask> random_tasks(std::uint32_t least) {
        std::vector<config::NewTask> tasks;
        if (model_.size() >= limit_) return tasks;
        for (auto count = least + random_.below(4); count > 0; --count)
            tasks.push_back({{random_.below(step_count)}, random_value()});
        return tasks;
    }

    // With a key, of which there are few, or without.
    std::string random_value() {
        std::string number = std::to_string(next_value_++);
        if (random_.one_in(3)) return number;
        return "[" + number + "," + std::to_string(random_.below(3)) + "]";
    }

    // What the action does, or the pre hook before it: `failing_hook` is the one that may fail instead.
    ActionResult random_action(const char* failing_hook) {
        if (*failing_hook && random_.one_in(6)) return hook_failure(failing_hook, "it failed");
        constexpr Kind kinds[] = {Kind::timeout, Kind::agent_lost, Kind::agent_failed, Kind::invalid_response,
                                  Kind::command_failed};
        if (random_.one_in(4)) return random_failure(random_.of(kinds));
        return ActionSuccess{"", random_tasks(0)};
    }

    Failure random_failure(Kind kind) {
        Failure failed = failure(kind);
        failed.message += " " + std::to_string(next_value_++);
        if (random_.one_in(2)) failed.response = std::to_string(next_value_++);
        return failed;
    }

    AttemptResult random_attempt(const config::Step& step, Expected& expected) {
        ActionResult action = random_action(step.pre ? "pre" : "");
        return step.post ? with_post(step, action, expected) : without_post(std::move(action), expected);
    }

    AttemptResult without_post(ActionResult action, Expected& expected) {
        if (auto* failure = std::get_if<Failure>(&action)) {
            expected.failure = failure->kind;
            return *failure;
        }
        expected.next = std::get<ActionSuccess>(action).next;
        return std::get<ActionSuccess>(std::move(action)).next;
    }

    // The post hook passes on what it got, recovers or rewrites, fails, or makes it a failure.
    AttemptResult with_post(const config::Step& step, ActionResult& action, Expected& expected) {
        if (auto* success = std::get_if<ActionSuccess>(&action)) success->output = text_of(success->next);
        switch (random_.below(5)) {
            case 0:
                expected.failure = Kind::hook_failed;
                return hook_failure("post", "exit code 1");
            case 1:
                expected.next = random_tasks(0);
                return post(step, action, R"({"kind":"Success","next":)" + text_of(expected.next) + "}");
            case 2:
                expected.failure = Kind::timeout;
                return post(step, action, R"({"kind":"Timeout"})");
            case 3:
                expected.failure = Kind::invalid_response;
                return post(step, action, R"({"kind":"Success","next":[{"kind":"Nowhere","value":1}]})");
            default:
                without_post(action, expected);
                return post(step, action, post_hook_input("{}", action));
        }
    }

    AttemptResult post(const config::Step& step, const ActionResult& action, const std::string& output) {
        return read_post_hook(run_.config, step, action, output);
    }

    static std::string text_of(const std::vector<config::NewTask>& tasks) {
        std::string text;
        for (const auto& task : tasks)
            text += (text.empty() ? "" : ",") + (R"({"kind":")" + std::to_string(task.step.value)) +
                    R"(","value":)" + task.value + "}";
        return "[" + text + "]";
    }

    void replay() {
        Run replayed(run_.config);
        replayed.apply_all(run_.history);
        must(replayed.state.over() && replayed.state.next_id == run_.state.next_id,
             "the history leads to the same end");
    }

    Random random_;
    Run run_;
    RunModel model_;
    std::uint32_t limit_;
    std::uint64_t next_value_ = 0;
    bool ends_in_time_ = random_.one_in(4);
    bool time_is_up_ = false;
};

}  // namespace

TEST_CASE("random runs follow the rules") {
    for_each_seed(scaled(5'000, 1'000), {}, [](std::uint32_t seed) { RandomRun(seed).play(); });
}

TEST_CASE("a history replayed up to any group leaves the same tasks to be done") {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        INFO("seed " << seed);
        RandomRun random(seed);
        random.begin();
        while (!random.over()) {
            random.step();
            Run replayed(random.run().config);
            replayed.apply_all(random.run().history);
            REQUIRE(live_tasks(replayed.state) == live_tasks(random.run().state));
            REQUIRE(replayed.state.asked == random.run().state.asked);
            REQUIRE(replayed.state.running == 0);
            REQUIRE(told(replayed.state) == told(random.run().state));
        }
    }
}

// Of the entries alone: the tasks of Human steps that were submitted and not completed.
TEST_CASE("after any entry, the tasks that wait for a person are those that were asked and not completed") {
    std::size_t most = 0;
    for (std::uint32_t seed = 1; seed <= 100; ++seed) {
        INFO("seed " << seed);
        RandomRun random(seed);
        random.play();
        Run replayed(random.run().config);
        std::map<TaskId, bool> is_finally;  // of each attempt
        std::set<TaskId> asked;
        for (const Entry& entry : random.run().history) {
            replayed.apply_all({entry});
            if (const auto* completed = std::get_if<TaskCompleted>(&entry)) {
                asked.erase(completed->task);
            } else {
                const auto& task = std::get<TaskSubmitted>(entry);
                const auto* retry = std::get_if<Retry>(&task.origin);
                is_finally[task.task] =
                    retry ? is_finally.at(retry->replaces) : std::holds_alternative<Finally>(task.origin);
                if (replayed.config.step(task.step).is_human() && !is_finally[task.task])
                    asked.insert(task.task);
            }
            REQUIRE(replayed.state.asked == asked);
            most = std::max(most, asked.size());
        }
    }
    CHECK(most > 3);
}

TEST_CASE("a history replayed up to any group has what is ready in the same order") {
    Run run(workflow_of({command_step("A"), pool_step("B")}));
    run.begin({"A", "B", "A"});
    for (int turn = 0; turn < 40; ++turn) {
        run.succeed(run.take(), turn % 3 ? std::vector<std::string>{"A", "B"} : std::vector<std::string>{});
        Run replayed(run.config);
        replayed.apply_all(run.history);
        auto copy = run.state;
        while (auto expected = take_ready(run.config, copy))
            REQUIRE(take_ready(replayed.config, replayed.state) == expected);
        REQUIRE_FALSE(take_ready(replayed.config, replayed.state));
    }
}
