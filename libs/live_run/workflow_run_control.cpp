// What other commands see of a run, and how they change it: its record and its control socket.
#include "base/system_time.hpp"
#include "base/text.hpp"
#include "io/log.hpp"
#include "live_run/workflow_run.hpp"
#include "runs/kept_answers.hpp"
#include "workflow/counts.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <string>
#include <utility>

namespace live_run {

namespace asio = boost::asio;
namespace log = io::log;

namespace {

constexpr std::chrono::seconds record_interval{2};

std::string processes_text(std::size_t count) {
    return base::concat(count, count == 1 ? " local process" : " local processes");
}

}  // namespace

// What is shown of a living run may be a little old.
asio::awaitable<void> WorkflowRun::keep_record() {
    asio::steady_timer timer(executor_);
    for (;;) {
        timer.expires_after(record_interval);
        co_await timer.async_wait(asio::use_awaitable);
        update_record();
    }
}

void WorkflowRun::update_record() {
    if (!runner_) return;
    workflow::Counts counts = runner_->counts();
    workflow::Usage usage = outcome_ ? outcome_->usage.total() : runner_->usage().total();
    std::uint64_t asked =
        outcome_ && outcome_->end == runner::Outcome::End::finished ? 0 : runner_->questions();
    launch::OwnRecord::Figures figures{
        {counts.done, counts.left, counts.dropped, asked}, std::nullopt, usage.price_list, std::nullopt};
    if (usage.priced > 0) figures.usd = usage.usd;
    if (auto known = agents(); known && !outcome_) figures.busy_agents = known->busy;
    record_.update(figures);
}

void WorkflowRun::end_record(int exit_code) {
    update_record();
    std::string_view result = signals_.first() != 0 ? "interrupted"
                              : outcome_            ? result_name(*outcome_)
                                                    : "failed";
    auto now = base::system_time();
    record_.ended({now, exit_code, std::string(result)});
}

displays::WatchedRun WorkflowRun::watched() {
    return {config_,         run_id_, log_path_, [this] { return agents(); }, [this] { return usage(); },
            redaction_.get()};
}

void WorkflowRun::open_control() {
    background_.spawn("viewers", viewers_->show());
    auto control = RunControl::open(executor_, record_.directory(), *viewers_,
                                    {[this](const runs::Pause& pause) { return set_paused(pause.paused); },
                                     [this](const runs::Scale& wish) { return scale(wish); },
                                     [this](runs::HumanAnswer answer, RunControl::Actions::Reply reply) {
                                         take_answer(std::move(answer), std::move(reply));
                                     }});
    if (control)
        control_ = std::move(*control);
    else
        log::warn(control.error().message,
                  "; other commands can wait for this run and cancel it, but not "
                  "attach to it, pause it or answer its tasks");
}

// One that comes before the runner is kept for it.
void WorkflowRun::take_answer(runs::HumanAnswer answer, RunControl::Actions::Reply reply) {
    if (runner_) return runner_->answer(runs::persons_answer(std::move(answer)), std::move(reply));
    early_answers_.emplace_back(std::move(answer), std::move(reply));
    if (refuses_answers_) refuse_early_answers();
}

void WorkflowRun::take_early_answers() {
    for (auto& [answer, reply] : std::exchange(early_answers_, {}))
        take_answer(std::move(answer), std::move(reply));
}

void WorkflowRun::refuse_early_answers() {
    refuses_answers_ = true;
    for (auto& [answer, reply] : std::exchange(early_answers_, {}))
        reply(base::invalid(base::concat("task ", answer.task, " can't be answered: the run has ended")));
}

void WorkflowRun::note_waiting(std::size_t questions) {
    log::info(base::counted(questions, "task"),
              " waiting for a human, and nothing else to do until then; `barnum todo` lists what waits, and "
              "`barnum "
              "answer ",
              run_id_, questions == 1 ? "` answers" : " TASK` answers");
    update_record();
    if (options_.exit_when_waiting) return;
    EndOfRun run = end();
    run.resume.clear();
    background_.spawn("notice", tell_of_waiting(options_, std::move(run), redaction_));
}

void WorkflowRun::show_pause(bool is_paused) {
    if (progress_) progress_->paused(is_paused);
    if (viewers_) viewers_->paused(is_paused);
}

base::Result<std::string> WorkflowRun::set_paused(bool is_paused) {
    if (record_.is_paused() == is_paused) return is_paused ? "is paused already" : "is not paused";
    auto kept = record_.set_paused(is_paused);
    if (!kept && is_paused)
        return base::Error{kept.error().code,
                           base::concat("the run is not paused, because a later run would not know it: ",
                                        kept.error().message)};
    if (!kept) log::warn(kept.error().message, "; a run that resumes this one may be paused");
    show_pause(is_paused);
    if (runner_) runner_->set_paused(is_paused);
    if (!is_paused) {
        log::info("the run continues");
        return "continues";
    }
    log::info("the run is paused: nothing new starts until `barnum continue ", run_id_, "`");
    return "is paused; what runs ends as usual";
}

base::Result<std::string> WorkflowRun::scale(const runs::Scale& scale) {
    std::string text;
    if (scale.agents) {
        if (!pool_side_.is_open()) return base::invalid("the run has no agents of its own");
        auto scaled = pool_side_.agents().scale(scale.agent_kind, *scale.agents);
        if (!scaled) return scaled.error();
        if (runner_) runner_->set_agents(pool_side_.agents().by_step());
        text = std::move(*scaled);
    }
    if (scale.jobs) {
        jobs_ = *scale.jobs;
        if (runner_) runner_->set_jobs(jobs_);
        text += base::concat(text.empty() ? "" : ", and ", processes_text(jobs_), " at once");
    }
    log::info("from now on, the run has ", text);
    return "has " + text;
}

}  // namespace live_run
