// The pool's messages: what is read from any text is what its own text says when it is written again, and an
// answer can always be made, read and told apart from the daemon's own words.
#include "pool_protocol/messages.hpp"

#include "fuzz.hpp"
#include "json/json.hpp"
#include "pool_protocol/answer.hpp"
#include "pool_protocol/command_task.hpp"
#include "pool_protocol/kick_request.hpp"
#include "pool_protocol/names.hpp"
#include "pool_protocol/queue_request.hpp"
#include "pool_protocol/ready.hpp"
#include "pool_protocol/session.hpp"
#include "pool_protocol/status.hpp"
#include "pool_protocol/unmatched.hpp"

namespace {

using fuzz::must;
using namespace pool_protocol;
using Id = std::optional<std::string>;

bool same(const Request& a, const Request& b) {
    const auto* content = std::get_if<Inline>(&a.payload);
    const auto* other_content = std::get_if<Inline>(&b.payload);
    if (a.wants_agent != b.wants_agent || a.wants_failures != b.wants_failures || a.may_host != b.may_host ||
        a.wants_unmatched != b.wants_unmatched || a.wants_activity != b.wants_activity ||
        a.labels != b.labels || a.priority != b.priority || a.response_schema != b.response_schema)
        return false;
    if (a.id != b.id || (content == nullptr) != (other_content == nullptr)) return false;
    if (content) return content->content == other_content->content;
    return std::get<FileReference>(a.payload).path == std::get<FileReference>(b.payload).path;
}

// The text that may be invalid UTF-8 in the answers that check_answer() gets.
std::string_view text_of(const Answer& answer) {
    if (const auto* processed = std::get_if<Processed>(&answer)) return processed->response;
    const auto* invalid = std::get_if<Invalid>(&answer);
    return invalid ? std::string_view(invalid->message) : "";
}

void check_answer(const Answer& answer, const Id& id) {
    auto again = parse_answer(to_json(answer, id));
    must(again.has_value(), "an answer can be read");
    must(again->id == id && again->answer.index() == answer.index(), "an answer is read as it was meant");
    if (!json::invalid_utf8(text_of(answer)))
        must(again->answer == answer, "an answer comes out of its text as it went in");
}

void check_request(std::string_view input) {
    Id id;
    auto request = parse_request(input, id);
    must(!id || is_id(*id), "a request's id can be one");
    if (request.has_error()) {
        must(!json::invalid_utf8(request.error().message), "what is wrong with a request can be sent");
        return check_answer(Invalid{request.error().message}, id);
    }
    Id id_again;
    auto again = parse_request(to_json(*request), id_again);
    must(again && same(*request, *again) && id_again == id, "a request is read as it was written");
    if (const auto* file = std::get_if<FileReference>(&request->payload))
        must(file->path.starts_with('/'), "a file's path is absolute");
}

void check_content(std::string_view input) {
    if (content_problem(input)) return;
    if (auto timeout = content_timeout(input)) must(timeout->count() > 0, "a timeout is more than nothing");
    must(reads_as_message(input) == parse_daemon_message(input).has_value(),
         "what reads as a message is known");
    std::string behind_a_space = " " + std::string(input);
    must(!content_problem(behind_a_space), "a task file is JSON, as its content is");
    must(!parse_daemon_message(behind_a_space), "behind a space nothing reads as the daemon's own message");
}

void check_status(std::string_view input) {
    if (auto request = parse_status_request(input)) {
        must(!request->id || is_id(*request->id), "the id of a question can be one");
        must(!parse_withdrawal(input), "no message is two things");
    }
    auto status = parse_status(input);
    if (status.has_error()) return;
    std::string text = to_json(*status);
    auto again = parse_status(text);
    must(again.has_value() && to_json(*again) == text, "a status is read as it was written");
}

void check_answers(std::string_view input) {
    auto answered = parse_answer(input);
    if (answered) check_answer(answered->answer, answered->id);
    check_answer(Processed{std::string(input)}, std::nullopt);
}

void check_ready(std::string_view input) {
    Ready ready = parse_ready(input);
    Ready again = parse_ready(to_json(ready));
    must(again.name == ready.name && again.locked == ready.locked && again.keeps_lock == ready.keeps_lock &&
             again.ends_when_told == ready.ends_when_told && again.session == ready.session &&
             again.labels == ready.labels && again.wants_schema == ready.wants_schema &&
             again.reports == ready.reports,
         "a ready file is read as it was written");
    must(again.release == ready.release, "how a task is let go of is kept");
}

void check_session(std::string_view input) {
    if (auto session = parse_session_greeting(input)) {
        must(is_id(session->session), "a session's name is an id");
        must(parse_session_greeting(to_json(*session)) == session, "a greeting is read as it was written");
    }
    if (auto release = parse_agent_release(input)) {
        auto again = parse_agent_release(to_json(*release));
        must(is_id(release->agent), "who lets go of a task has an id");
        must(again && again->agent == release->agent && again->release == release->release,
             "a release is read as it was written");
    }
    if (auto kick = parse_agent_kick(input)) {
        auto again = parse_agent_kick(to_json(*kick));
        must(again && again->agent == kick->agent && again->reason == kick->reason,
             "a kick is read as it was written");
    }
}

void check_agents_news(std::string_view input) {
    if (auto notice = parse_activity_notice(input)) {
        auto again = parse_activity_notice(to_json(*notice));
        must(is_id(notice->agent), "an agent that does something has an id");
        must(again && again->agent == notice->agent && again->activity == notice->activity,
             "what an agent does is read as it was written");
    }
    if (auto task = parse_task_activity(input))
        must(parse_task_activity(to_json(*task)) == task, "what is done at a task is read as it was written");
    if (auto away = parse_agent_away(input))
        must(parse_agent_away(to_json(*away)) == away, "an absence is read as it was written");
    if (auto back = parse_agent_back(input))
        must(back->name.size() > 200 || parse_agent_back(to_json(*back))->name == back->name,
             "a return is read as it was written");
}

void check_unmatched(std::string_view input) {
    auto unmatched = parse_unmatched(input);
    if (!unmatched) return;
    auto again = parse_unmatched(to_json(*unmatched));
    must(again && again->id == unmatched->id && again->missing == unmatched->missing &&
             again->away == unmatched->away,
         "what is said of a task that nobody can take is read as it was written");
}

void check_report(std::string_view input) {
    auto report = parse_report(input);
    if (report)
        must(parse_report(std::string_view(to_json(*report))) == report,
             "a report is read as it was written");
}

void check_end_of_content(std::string_view input) {
    if (auto timeout = timeout_at_end(input)) must(timeout->count() > 0, "a timeout is more than nothing");
}

void check_withdrawal(std::string_view input) {
    auto id = parse_withdrawal(input);
    if (id) must(parse_withdrawal(withdrawal(*id)) == id, "a withdrawal is read as it was written");
}

void check_kick(std::string_view input) {
    auto agent = parse_kick_request(input);
    if (agent) must(!parse_status_request(input) && !parse_withdrawal(input), "no message is two things");
    auto answer = parse_kick_answer(input);
    if (answer.has_error()) return;
    std::string text = kick_answer(*answer);
    auto again = parse_kick_answer(text);
    must(again.has_value() && kick_answer(*again) == text, "an answer to a kick is read as it was written");
}

template<class Parse>
void check_written(std::string_view input, Parse parse, const char* what) {
    auto read = parse(input);
    if (!read) return;
    std::string text = to_json(*read);
    auto again = parse(text);
    must(again && to_json(*again) == text, what);
}

void check_queue(std::string_view input) {
    check_written(input, parse_queue_request, "a request about the queue is read as it was written");
    check_written(input, parse_queue, "a queue is read as it was written");
    check_written(input, parse_queue_changes, "changes of the queue are read as they were written");
    must(task_title(input).size() <= 80, "a title is short");
}

void check_daemon_message(std::string_view input) {
    auto message = parse_daemon_message(input);
    if (!message || message->kind == DaemonMessage::Kind::heartbeat) return;
    auto again = parse_daemon_message(kicked_message(message->reason));
    must(again && again->kind == message->kind && again->reason == message->reason,
         "a message of the daemon is read as it was written");
}

void check_command(std::string_view input) {
    if (auto command = parse_command(input)) {
        auto again = parse_command(command_content(command->task, command->input).text());
        must(again && again->task.script == command->task.script && again->input == command->input &&
                 again->task.variables == command->task.variables &&
                 again->task.previous_attempts == command->task.previous_attempts &&
                 again->task.max_output == command->task.max_output,
             "a command is read as it was written");
    } else {
        must(!json::invalid_utf8(command.error().message), "why a task is not run can be sent");
    }
    if (auto end = parse_command_end(input)) {
        auto again = parse_command_end(to_text(*end));
        must(again && again->how == end->how && again->code == end->code && again->output == end->output &&
                 again->error_output == end->error_output && again->message == end->message &&
                 again->cpu == end->cpu && again->peak_memory == end->peak_memory,
             "how a command has ended is read as it was written");
    }
}

}  // namespace

void fuzz::target(std::string_view input) {
    check_request(input);
    check_content(input);
    check_answers(input);
    check_status(input);
    check_ready(input);
    check_session(input);
    check_agents_news(input);
    check_unmatched(input);
    check_report(input);
    check_end_of_content(input);
    check_withdrawal(input);
    check_kick(input);
    check_queue(input);
    check_daemon_message(input);
    check_command(input);
}
