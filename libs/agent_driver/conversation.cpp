#include "agent_driver/conversation.hpp"

#include "agent_driver/activity.hpp"
#include "agent_driver/driver.hpp"
#include "agent_driver/failure_words.hpp"
#include "agent_driver/last_array.hpp"
#include "agent_driver/surrogates.hpp"
#include "base/text.hpp"
#include "base/text_parts.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace agent_driver {

namespace {

constexpr std::size_t longest_output = 2000;  // bytes

// A line may be as long as a whole answer. By the mark, redaction knows that a secret may have been cut.
std::string beginning_of(std::string_view line) {
    constexpr std::size_t longest_beginning = 64 * 1024;
    if (line.size() <= longest_beginning) return std::string(line);
    return base::concat(base::cut_to(line, longest_beginning), "…");
}

Failure too_large(std::string_view what) {
    return {FailureKind::error,
            base::concat(what, " had more than ", Room::most,
                         " bytes, the most that an agent can answer, whatever max_response_bytes allows"),
            {}};
}

std::unique_ptr<Driver> make_driver(const Settings& settings, const Prompt& prompt,
                                    const Surroundings& surroundings) {
    switch (settings.kind) {
        case AgentKind::claude:
            return make_claude(settings, prompt, surroundings);
        case AgentKind::codex:
            return make_codex(settings, prompt, surroundings);
        case AgentKind::gemini:
            return make_gemini(settings, prompt, surroundings);
        case AgentKind::acp:
            return make_acp(settings, prompt, surroundings);
        case AgentKind::exec:
        case AgentKind::shell:
            break;
    }
    throw std::logic_error("a shell command has no conversation");
}

// SIGHUP, SIGINT, SIGKILL and SIGTERM are sent by somebody; the others are the program's own doing.
bool is_sent(int signal) {
    return signal == 1 || signal == 2 || signal == 9 || signal == 15;
}

// `event` is neither Retrying nor Words.
Action action_of(Event event) {
    return std::visit(
        []<class Item>(Item& item) -> Action {
            if constexpr (std::is_same_v<Item, Retrying> || std::is_same_v<Item, Words>)
                return Failure();
            else
                return std::move(item);
        },
        event);
}

}  // namespace

Conversation::Conversation(const Settings& settings, const Prompt& prompt, const Surroundings& surroundings)
    : settings_(settings),
      redact_(surroundings.redact),
      writing_(std::make_unique<Writing>(surroundings.redact_pieces)),
      driver_(make_driver(settings, prompt, surroundings)) {}
Conversation::~Conversation() = default;
Conversation::Conversation(Conversation&&) noexcept = default;
Conversation& Conversation::operator=(Conversation&&) noexcept = default;

Launch Conversation::launch(Time now) {
    heard_ = now;
    Launch launch = driver_->launch();
    if (!settings_.program.empty()) launch.program = settings_.program;
    launch.arguments.insert(launch.arguments.end(), settings_.arguments.begin(), settings_.arguments.end());
    launch.environment.insert(launch.environment.end(), settings_.env.begin(), settings_.env.end());
    launch.directory = settings_.directory;
    return launch;
}

Actions Conversation::stdout_line(std::string_view line, Time now) {
    if (state_ != State::working) return {};
    heard_ = now;
    if (line.size() >= Room::most) return fail(too_large("a line of its output"));
    auto message = json::checked(line);
    std::string mended = message ? "" : without_half_surrogates(line);
    if (!message) message = json::checked(mended);
    if (!message || !message->is(json::Kind::object)) return log_line(line, now);
    has_spoken_ = true;
    Actions actions = translate(driver_->read(*message), now);
    if (state_ == State::working && driver_->room().too_large())
        std::ranges::move(fail(too_large(*driver_->room().too_large())), std::back_inserter(actions));
    return actions;
}

Actions Conversation::not_read() {
    if (state_ != State::working) return {};
    return fail({FailureKind::error,
                 base::concat("what it has asked for and not read had more than ", Room::most, " bytes"),
                 {}});
}

Actions Conversation::stderr_line(std::string_view line, Time now) {
    heard_ = now;
    return log_line(line, now);
}

std::string Conversation::redacted(std::string text) const {
    return redact_ ? redact_(text) : std::move(text);
}

// Here, and nowhere later: what follows may be shortened. An answer is data, and stays as it is.
template<class Event>
void Conversation::redact(Event& event) const {
    if (auto* activity = std::get_if<Activity>(&event)) {
        activity->text = activity_line(redacted(std::move(activity->text)));
    } else if (auto* denied = std::get_if<Denied>(&event)) {
        denied->tool = activity_line(redacted(std::move(denied->tool)));
    } else if (auto* session = std::get_if<Session>(&event)) {
        session->id = redacted(std::move(session->id));
        session->model = redacted(std::move(session->model));
    } else if (auto* failure = std::get_if<Failure>(&event)) {
        failure->message = redacted(std::move(failure->message));
    } else if (auto* retrying = std::get_if<Retrying>(&event); retrying != nullptr && retrying->failure) {
        retrying->failure->message = redacted(std::move(retrying->failure->message));
    }
}

template<class Events>
Actions Conversation::translate(Events events, Time now) {
    Actions actions;
    for (auto& event : events) {
        if (state_ != State::working) break;
        if (auto* words = std::get_if<Words>(&event)) event = Activity{writing_->add(*words), words->turn};
        redact(event);
        if (auto* activity = std::get_if<Activity>(&event); activity != nullptr && activity->text.empty())
            continue;
        if (auto* retrying = std::get_if<Retrying>(&event)) {
            std::ranges::move(note_retries(*retrying, now), std::back_inserter(actions));
        } else if (auto* answer = std::get_if<Answer>(&event)) {
            state_ = State::answered;
            actions.emplace_back(Answer{answer_text(answer->text)});
        } else {
            if (auto* failure = std::get_if<Failure>(&event)) {
                state_ = State::over;
                *failure = in_words(std::move(*failure));
            }
            actions.push_back(action_of(std::move(event)));
        }
    }
    return actions;
}

// Does not interrupt a request that takes long: only its failure is one too many.
Actions Conversation::note_retries(const Retrying& retrying, Time now) {
    if (retrying.failure && !retried_failure_) retries_since_ = now;
    retried_failure_.reset();
    if (!retrying.failure) return {};
    retried_failure_ = in_words(*retrying.failure);
    const bool is_hopeless =
        retried_failure_->kind == FailureKind::not_ready || retried_failure_->wait > longest_retries;
    if (!is_hopeless && now < retries_since_ + longest_retries) return {};
    return fail(*retried_failure_);
}

Actions Conversation::log_line(std::string_view line, Time now) {
    std::string text = plain_text(redacted(beginning_of(line))).substr(0, longest_output);
    if (text.empty()) return {};
    output_ += text + "\n";
    if (output_.size() > longest_output) output_.erase(0, output_.size() - longest_output);
    return state_ == State::working ? translate(driver_->read_log(text), now) : Actions();
}

std::string Conversation::with_output(std::string message) const {
    return output_.empty() ? message : base::concat(message, ": ", output_.substr(0, output_.size() - 1));
}

// What a program says may be for a terminal, or say nothing; then what it has printed before may tell more.
Failure Conversation::in_words(Failure failure) const {
    failure.message = plain_text(beginning_of(failure.message));
    if (failure.kind == FailureKind::usage_limit && !failure.until && !failure.wait)
        failure.wait = told_wait(failure.message);
    if (!tells_nothing(failure.message)) return failure;
    std::string words = failure.message.empty() ? "nothing" : json::quote(failure.message);
    failure.message = with_output(base::concat(kind_name(settings_.kind), " failed and said ", words,
                                               output_.empty() ? "" : "; it had printed"));
    return failure;
}

Actions Conversation::fail(Failure failure) {
    state_ = State::over;
    return {std::move(failure)};
}

Failure Conversation::failure_of(Exit exit) const {
    std::string who(kind_name(settings_.kind));
    if (interrupted_) return {FailureKind::interrupted, who + " was interrupted", {}};
    if (exit.signal != 0)
        return {is_sent(exit.signal) ? FailureKind::killed : FailureKind::crashed,
                with_output(base::concat(who, " was ended by signal ", exit.signal)),
                {}};
    std::string message =
        with_output(base::concat(who, " ended with exit code ", exit.code, " without an answer"));
    if (exit.code == 0) return {FailureKind::no_answer, message, {}};
    return {has_spoken_ ? FailureKind::crashed : FailureKind::not_ready, message, {}};
}

Actions Conversation::exited(Exit exit) {
    if (state_ != State::working) return {};
    return fail(failure_of(exit));
}

Actions Conversation::repair(std::string_view errors, Time now) {
    if (state_ != State::answered) return {};
    state_ = State::working;
    heard_ = now;
    retried_failure_.reset();
    return translate(driver_->say(repair_text(errors)), now);
}

Actions Conversation::interrupt() {
    if (state_ != State::working || interrupted_) return {};
    interrupted_ = true;
    return translate(driver_->interrupt(), heard_);
}

std::optional<Time> Conversation::deadline() const {
    if (state_ != State::working) return std::nullopt;
    return heard_ + settings_.stall;
}

Actions Conversation::deadline_passed(Time now) {
    if (state_ != State::working || now < heard_ + settings_.stall) return {};
    if (retried_failure_) return fail(*retried_failure_);
    std::string message =
        base::concat(kind_name(settings_.kind), " was silent for ", settings_.stall.count(), " seconds");
    return fail({FailureKind::stalled, with_output(message), {}});
}

}  // namespace agent_driver
