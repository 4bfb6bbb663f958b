#include "agents/program_task.hpp"

#include "agent_driver/list_prices.hpp"
#include "agents/task_prompt.hpp"
#include "base/text.hpp"
#include "base/text_parts.hpp"

#include <algorithm>
#include <utility>

namespace agents {

using agent_driver::FailureKind;

namespace {

constexpr std::size_t longest_message = 4000;   // bytes; a message of the pool's protocol has a limit
constexpr std::size_t longest_mistakes = 8000;  // bytes
constexpr std::size_t most_denied = 10;         // texts

agent_driver::Prompt prompt_of(int max_repairs, std::string_view content, std::string response_schema,
                               std::string project, agent_driver::Begun begun) {
    agent_driver::Prompt prompt = task_prompt(content, std::move(response_schema));
    prompt.project = std::move(project);
    prompt.max_repairs = max_repairs;
    prompt.resume = std::move(begun.id);
    prompt.used_before = begun.used;
    return prompt;
}

}  // namespace

WorkEnd::Kind kind_of(FailureKind failure) {
    switch (failure) {
        case FailureKind::usage_limit:
            return WorkEnd::Kind::parked;
        case FailureKind::overloaded:
            return WorkEnd::Kind::unavailable;
        case FailureKind::not_ready:
            return WorkEnd::Kind::unusable;
        case FailureKind::too_large:
        case FailureKind::budget:
        case FailureKind::turn_limit:
        case FailureKind::images:
        case FailureKind::refusal:
        case FailureKind::interrupted:
        case FailureKind::stalled:
        case FailureKind::no_answer:
        case FailureKind::crashed:
        case FailureKind::killed:
        case FailureKind::error:
            break;
    }
    return WorkEnd::Kind::failed;
}

ProgramTask::ProgramTask(const agent_driver::AgentGroup& group, std::string_view content,
                         std::string response_schema, std::string project,
                         const agent_driver::Surroundings& surroundings, agent_driver::Begun begun)
    : group_(group),
      resume_(begun.id),
      redact_(surroundings.redact),
      check_(response_schema),
      conversation_(group.settings,
                    prompt_of(group.max_repairs, content, std::move(response_schema), std::move(project),
                              std::move(begun)),
                    surroundings) {
    report_.kind = agent_driver::kind_name(group.settings.kind);
}

ProgramTask::Actions ProgramTask::output(std::string_view piece, Time now) {
    Actions out;
    lines_.add(piece, [&](std::string_view line) {
        for (agent_driver::Action& action : conversation_.stdout_line(line, now))
            done(std::move(action), now, out);
    });
    return out;
}

ProgramTask::Actions ProgramTask::error_output(std::string_view piece, Time now) {
    Actions out;
    error_lines_.add(piece, [&](std::string_view line) {
        for (agent_driver::Action& action : conversation_.stderr_line(line, now))
            done(std::move(action), now, out);
    });
    return out;
}

void ProgramTask::exited(agent_driver::Exit exit, Time now) {
    if (std::string rest = lines_.take_rest(); !rest.empty()) done(conversation_.stdout_line(rest, now), now);
    if (std::string rest = error_lines_.take_rest(); !rest.empty())
        done(conversation_.stderr_line(rest, now), now);
    done(conversation_.exited(exit), now);
}

void ProgramTask::time_is_over() {
    const auto& failure = conversation_.retried_failure();
    if (end_ || !failure || kind_of(failure->kind) == WorkEnd::Kind::failed) return;
    failed({failure->kind,
            base::concat("its requests failed until the task's time was over: ", failure->message),
            failure->until, failure->wait});
}

ProgramTask::Actions ProgramTask::done(agent_driver::Actions actions, Time now) {
    Actions out;
    for (agent_driver::Action& action : actions)
        done(std::move(action), now, out);
    return out;
}

void ProgramTask::done(agent_driver::Action action, Time now, Actions& out) {
    if (end_) return;
    if (auto* send = std::get_if<agent_driver::Send>(&action)) {
        out.emplace_back(Write{std::move(send->line) + "\n"});
    } else if (auto* session = std::get_if<agent_driver::Session>(&action)) {
        note(*session, out);
    } else if (auto* activity = std::get_if<agent_driver::Activity>(&action)) {
        report_.turns = std::max(report_.turns, activity->turn);
        show(std::move(activity->text), out);
    } else if (auto* usage = std::get_if<agent_driver::Usage>(&action)) {
        note(*usage);
        show(activity_.text, out);
    } else if (auto* denied = std::get_if<agent_driver::Denied>(&action)) {
        note(std::move(*denied), out);
    } else if (auto* answer = std::get_if<agent_driver::Answer>(&action)) {
        answered(std::move(answer->text), now, out);
    } else {
        failed(std::get<agent_driver::Failure>(std::move(action)));
        out.emplace_back(EndProgram{});
    }
}

void ProgramTask::note(const agent_driver::Session& session, Actions& out) {
    if (const std::string wanted = std::exchange(resume_, {}); !wanted.empty())
        show(session.id == wanted ? "goes on with its conversation"
                                  : "its conversation is not there any more; begins anew",
             out);
    report_.session = session.id;
    if (!session.model.empty()) report_.model = session.model;
}

void ProgramTask::note(const agent_driver::Usage& usage) {
    report_.input_tokens = usage.input;
    report_.cached_tokens = usage.cached;
    report_.output_tokens = usage.output;
    set_price(usage);
    report_.turns = std::max(report_.turns, usage.turns);
    report_.repairs = repairs_ + usage.repairs;
}

void ProgramTask::set_price(const agent_driver::Usage& usage) {
    const agent_driver::Settings& settings = group_.settings;
    report_.usd = usage.usd;
    report_.price_list.clear();
    if (report_.usd) return;
    if (settings.prices) {
        report_.usd = agent_driver::cost(*settings.prices, usage);
    } else if (const auto* listed = agent_driver::list_price(settings.kind, report_.model)) {
        report_.usd = agent_driver::cost(listed->prices, usage);
        report_.price_list = listed->date;
    }
}

void ProgramTask::note(agent_driver::Denied denied, Actions& out) {
    std::string text = base::concat(denied.tool, " (", denied.by, ")");
    if (denied_.size() >= most_denied || std::ranges::find(denied_, text) != denied_.end()) return;
    report_.refused += base::concat(report_.refused.empty() ? "" : ", ", text);
    report_.refused.resize(base::cut_to(report_.refused, pool_protocol::AgentReport::max_path).size());
    denied_.push_back(std::move(text));
    show(base::concat("refused by ", denied.by, ": ", denied.tool), out);
    out.emplace_back(NoteRefusal{std::move(denied)});
}

void ProgramTask::show(std::string text, Actions& out) {
    pool_protocol::AgentActivity now;
    now.text = std::move(text);
    now.turn = report_.turns;
    now.input_tokens = report_.input_tokens;
    now.cached_tokens = report_.cached_tokens;
    now.output_tokens = report_.output_tokens;
    now.usd = report_.usd;
    now.price_list = report_.price_list;
    if (now == activity_) return;
    activity_ = now;
    if (!out.empty() && std::holds_alternative<ShowActivity>(out.back())) out.pop_back();
    out.emplace_back(ShowActivity{std::move(now)});
}

// An answer that is still wrong after all repairs is given in: the submitter says what is wrong with it.
void ProgramTask::answered(std::string text, Time now, Actions& out) {
    report_.turns = std::max(report_.turns, 1 + report_.repairs);
    std::string mistakes = base::is_blank(text) ? "The answer is empty." : check_.mistakes(text);
    if (redact_) mistakes = redact_(mistakes);  // they quote the answer
    mistakes.resize(base::cut_to(mistakes, longest_mistakes).size());
    if (!mistakes.empty() && report_.repairs < group_.max_repairs) {
        ++repairs_;
        ++report_.repairs;
        for (agent_driver::Action& action : conversation_.repair(mistakes, now))
            done(std::move(action), now, out);
        return;
    }
    if (base::is_blank(text)) {
        failed({FailureKind::no_answer, "its answer is empty", {}});
    } else {
        end_.emplace();
        end_->kind = WorkEnd::Kind::responded;
        end_->response = std::move(text);
        end_->mistakes = std::move(mistakes);
        end_->report = report_;
    }
    out.emplace_back(CloseInput{});
}

void ProgramTask::failed(agent_driver::Failure failure) {
    end_.emplace();
    end_->kind = kind_of(failure.kind);
    // A provider that wants nobody to try again for so long is as a limit.
    if (end_->kind == WorkEnd::Kind::unavailable && failure.wait > agent_driver::longest_retries)
        end_->kind = WorkEnd::Kind::parked;
    end_->message = base::cut_to(failure.message, longest_message);
    end_->until = failure.until;
    end_->wait = failure.wait;
    end_->report = report_;
    end_->failure = agent_driver::failure_name(failure.kind);
    end_->is_permanent = failure.kind == FailureKind::too_large;
}

}  // namespace agents
