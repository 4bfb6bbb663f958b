#include "people/human_questions.hpp"

#include "base/text.hpp"
#include "config/response.hpp"
#include "inspect/task_text.hpp"
#include "io/log.hpp"
#include "launch/earlier_log.hpp"
#include "runs/control_client.hpp"
#include "runs/kept_answers.hpp"
#include "runs/run_end.hpp"
#include "runs/run_lookup.hpp"
#include "statelog/expiry.hpp"
#include "statelog/log_file.hpp"
#include "statelog/log_use.hpp"
#include "statelog/replay_file.hpp"
#include "terminal/width.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>
#include <variant>

namespace people {

using workflow::TaskId;

namespace {

// The end of one task, as its state log has it.
struct TaskEnd {
    std::optional<config::StepId> step;  // none: there is no such task
    std::optional<statelog::Record> completed;
    std::vector<workflow::TaskSubmitted> followed;  // the tasks of its response
};

struct ReadLog {
    statelog::Replay replay;
    TaskEnd watched;
    std::optional<GivenAnswer> last_counted;
};

// `watched` is the task whose end is wanted.
base::Result<ReadLog> read_log(int fd, const std::string& path, TaskId watched) {
    TaskEnd end;
    std::optional<GivenAnswer> last_counted;
    auto observe = [&, watched](const statelog::Replay&, const statelog::Record& record) {
        if (const auto* submitted = std::get_if<workflow::TaskSubmitted>(&record.entry)) {
            if (submitted->task == watched) end.step = submitted->step;
            bool is_spawned = std::holds_alternative<workflow::Spawned>(submitted->origin);
            if (is_spawned && submitted->parent == watched) end.followed.push_back(*submitted);
            return;
        }
        const auto& completed = std::get<workflow::TaskCompleted>(record.entry);
        if (completed.answered)
            last_counted = {completed.task, completed.answered->user, record.time.value_or(statelog::Time()),
                            std::holds_alternative<workflow::Failed>(completed.outcome)};
        if (completed.task == watched) end.completed = record;
    };
    auto replayed = statelog::replay_file(fd, path, [&] {
        end = {};
        last_counted.reset();
        return observe;
    });
    if (!replayed) return replayed.error();
    return ReadLog{std::move(replayed->replay), std::move(end), std::move(last_counted)};
}

// The config is in the log's first line. A Human step has that word there, perhaps with escaped letters. A
// log that begins otherwise is damaged, which reading it tells.
bool may_have_questions(int fd, const std::string& path) {
    auto line = statelog::read_line(fd, path, 0);
    if (!line || line->find("\"Config\"") == std::string::npos) return true;
    return line->find("\"Human\"") != std::string::npos || line->find("\\u00") != std::string::npos;
}

RunQuestions questions_in(const statelog::Replay& replay) {
    RunQuestions questions{replay.config(), {}, {}, {}};
    for (TaskId id : replay.state().asked) {
        const workflow::Task& task = *replay.state().find(id);
        statelog::Time since = replay.asked_since().at(id);
        auto end = statelog::expiry(replay.config()->step(task.step), since);
        if (end && *end <= statelog::now()) continue;
        questions.open.push_back({id, task.step, task.value, since, end});
    }
    return questions;
}

// Takes those that have an answer out of the open ones.
void add_given(RunQuestions& questions, const std::string& run) {
    auto read = runs::for_each_answer(run, [&](const runs::KeptAnswer& kept) {
        TaskId task{kept.answer.task};
        auto found = std::ranges::find(questions.open, task, &HumanQuestion::task);
        if (found == questions.open.end()) return;
        if (!workflow::result_of(*questions.config, questions.config->step(found->step),
                                 runs::persons_answer(kept.answer)))
            return;  // it won't count
        questions.open.erase(found);
        questions.given.push_back({task, kept.answer.user, kept.time, !kept.answer.response});
    });
    if (!read) io::log::warn(read.error().message);
}

std::string text_of(const GivenAnswer& answer) {
    return base::concat("task ", answer.task.value, " was ", answer.is_rejected ? "rejected" : "answered",
                        " by ", terminal::printable(answer.user), " (", inspect::local_time_text(answer.time),
                        ")");
}

std::string was_answered(const GivenAnswer& answer) {
    return text_of(answer) + "; one answer counts";
}

// Why a task does not wait.
std::string why_not_open(const ReadLog& log, TaskId task) {
    const TaskEnd& end = log.watched;
    std::string name = base::concat("task ", task.value);
    if (!end.step)
        return base::concat("there is no ", name, " in this run; `barnum todo` lists the tasks that wait");
    if (!log.replay.config()->step(*end.step).is_human())
        return base::concat(name, " is a task of the step ", log.replay.config()->step(*end.step).name,
                            ", which is not a Human step");
    if (!end.completed) return name + " does not wait for a person";
    const auto& completed = std::get<workflow::TaskCompleted>(end.completed->entry);
    const auto* failed = std::get_if<workflow::Failed>(&completed.outcome);
    if (completed.answered)
        return was_answered({task, completed.answered->user, end.completed->time.value_or(statelog::Time()),
                             failed != nullptr});
    if (failed) return base::concat(name, " was dropped: ", failed->failure().message);
    return name + " does not wait for a person any more";
}

// Whether the task was answered with this answer by the same person: it may come twice, because nobody knows
// whether it has arrived if the run ends before it says so.
bool has_this_answer(const ReadLog& log, const runs::HumanAnswer& answer) {
    const TaskEnd& end = log.watched;
    if (!end.completed) return false;
    const auto& completed = std::get<workflow::TaskCompleted>(end.completed->entry);
    if (!completed.answered || completed.answered->user != answer.user) return false;
    const config::WorkflowConfig& config = *log.replay.config();
    auto result = workflow::result_of(config, config.step(*end.step), runs::persons_answer(answer));
    if (!result) return false;
    const auto* failed = std::get_if<workflow::Failed>(&completed.outcome);
    if (const auto* failure = std::get_if<workflow::Failure>(&*result))
        return failed != nullptr && failed->failure().message == failure->message;
    // A rejection is followed by no tasks, as the answer [] is.
    return failed == nullptr &&
           std::ranges::equal(std::get<std::vector<config::NewTask>>(*result), end.followed,
                              [](const config::NewTask& wanted, const workflow::TaskSubmitted& there) {
                                  return wanted.step == there.step && wanted.value == *there.value;
                              });
}

std::string given_text(const runs::HumanAnswer& answer) {
    return base::concat("task ", answer.task, " is ", answer.response ? "answered" : "rejected");
}

base::Result<ReadLog> read_log_of(const runs::FoundRun& run, TaskId watched) {
    auto opened = statelog::open_log(run.record.state_log);
    if (!opened) return opened.error();
    return read_log(opened->get(), run.record.state_log, watched);
}

base::Result<void> check(const ReadLog& log, const runs::HumanAnswer& answer) {
    TaskId task{answer.task};
    if (!log.replay.state().asked.contains(task)) return base::invalid(why_not_open(log, task));
    const config::Step& step = log.replay.config()->step(log.replay.state().find(task)->step);
    auto end = statelog::expiry(step, log.replay.asked_since().at(task));
    if (end && *end <= statelog::now())
        return base::invalid(
            base::concat("task ", task.value, " has expired (", inspect::local_time_text(*end), ")"));
    auto result = workflow::result_of(*log.replay.config(), step, runs::persons_answer(answer));
    if (!result) return result.error();
    return {};
}

bool is_kept(const runs::FoundRun& run, const runs::HumanAnswer& answer) {
    auto kept = runs::read_answer(run.path, answer.task);
    return kept && kept->answer == answer;
}

base::Error already_given(const runs::FoundRun& run, TaskId task, const base::Error& error) {
    if (auto kept = runs::read_answer(run.path, task.value))
        return base::invalid(was_answered({task, kept->answer.user, kept->time, !kept->answer.response}));
    std::string path = runs::answer_path(run.path, task.value);
    if (error.code != std::errc::file_exists) return error;
    return base::invalid(base::concat(path, " is in the way, and is no answer: remove it, and answer again"));
}

// The log's lock keeps other runs and other answers away meanwhile.
base::Result<std::string> keep(const runs::FoundRun& run, const runs::HumanAnswer& answer) {
    auto locked = launch::open_earlier_log(run.record.state_log, launch::wait_of_answer);
    if (!locked) return locked.error();
    if (auto later = runs::later_log_of(locked->path()))
        return base::invalid(base::concat("the run ", run.record.id,
                                          " was resumed meanwhile, and that run's log is ", *later,
                                          "; give the answer to the newest run"));
    auto log = read_log(locked->fd(), locked->path(), {answer.task});
    if (!log) return log.error();
    if (has_this_answer(*log, answer)) return given_text(answer);
    if (auto fits = check(*log, answer); !fits) return fits.error();
    auto kept = runs::keep_answer(run.path, {answer, statelog::now()});
    if (!kept && !is_kept(run, answer)) return already_given(run, {answer.task}, kept.error());
    return given_text(answer) + "; that counts when the run is resumed";
}

// Whether nobody is there who could be asked, although the run's log is still locked: by what ends the
// commands of a killed run. A process on another machine cannot be seen.
bool was_killed(const runs::RunRecord& record) {
    return record.process.boot_id == runs::boot_id() && !runs::is_alive(record.process);
}

// A run that is about to end takes no answer any more.
bool has_ended_soon(const runs::FoundRun& run) {
    constexpr std::chrono::seconds longest{5};
    constexpr std::chrono::milliseconds step{20};
    auto give_up = std::chrono::steady_clock::now() + longest;
    while (runs::is_alive(run)) {
        auto now = runs::read_run(run.path);
        bool is_ending = !now || now->record.end || was_killed(now->record);
        if (is_ending || std::chrono::steady_clock::now() > give_up) return is_ending;
        std::this_thread::sleep_for(step);
    }
    return true;
}

// The log says more than the run does, which has forgotten the task, and it is there when the run has ended.
base::Result<std::string> ask_living(const runs::FoundRun& run, const runs::HumanAnswer& answer) {
    auto asked = runs::ask_run(run, answer);
    if (asked) return asked;
    auto log = read_log_of(run, {answer.task});
    if (!log) return asked.error();
    if (has_this_answer(*log, answer)) return given_text(answer);
    if (!log->replay.state().asked.contains({answer.task}))
        return base::invalid(why_not_open(*log, {answer.task}));
    return check(*log, answer) && has_ended_soon(run) ? keep(run, answer) : asked.error();
}

}  // namespace

base::Result<RunQuestions> read_questions(const runs::FoundRun& run) {
    auto opened = statelog::open_log(run.record.state_log);
    if (!opened) return opened.error();
    if (!may_have_questions(opened->get(), run.record.state_log)) return RunQuestions{};
    auto log = read_log(opened->get(), run.record.state_log, {UINT64_MAX});
    if (!log) return log.error();
    RunQuestions questions = questions_in(log->replay);
    questions.last_counted = std::move(log->last_counted);
    add_given(questions, run.path);
    return questions;
}

base::Result<std::string> give_answer(const runs::FoundRun& run, const runs::HumanAnswer& answer) {
    std::size_t size = runs::to_json(runs::ControlRequest(answer)).size();
    if (size > runs::longest_request)
        return base::invalid(base::concat("the answer is too large: it has ", size, " bytes, and at most ",
                                          runs::longest_request, " are possible"));
    if (auto newest = check_not_resumed(run); !newest) return newest.error();
    runs::FoundRun now = run;
    bool is_there = is_living(runs::current_state(now)) && !was_killed(now.record);
    return is_there ? ask_living(run, answer) : keep(run, answer);
}

base::Result<void> check_not_resumed(const runs::FoundRun& run) {
    auto later = runs::run_that_continues(run.record.id);
    if (!later) return {};
    return base::invalid(base::concat("the run ", run.record.id, " was resumed by the run ", later->record.id,
                                      ", which has its tasks: give that one the answer"));
}

base::Error why_not_waiting(const runs::FoundRun& run, TaskId task) {
    auto log = read_log_of(run, task);
    if (!log) return log.error();
    return already_given(run, task, base::invalid(why_not_open(*log, task)));
}

base::Error why_none_waits(const RunQuestions& questions) {
    const std::string none = "no task of the run waits for a person";
    if (questions.given.size() > 1)
        return base::invalid(base::concat(none, ": ", questions.given.size(),
                                          " have an answer, which counts when the run is resumed"));
    if (!questions.given.empty())
        return base::invalid(base::concat(none, ": ", text_of(questions.given.front()),
                                          ", which counts when the run is resumed"));
    if (questions.last_counted)
        return base::invalid(base::concat(none, "; ", text_of(*questions.last_counted)));
    return base::invalid(none);
}

}  // namespace people
