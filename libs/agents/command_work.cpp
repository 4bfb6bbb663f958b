#include "agents/command_work.hpp"

#include "agents/agent_redaction.hpp"
#include "base/text.hpp"

#include <string_view>
#include <utility>

namespace agents {

namespace asio = boost::asio;
using End = process::ChildResult::End;
using pool_protocol::KickReason;

namespace {

constexpr std::size_t reported_stderr = 2000;  // bytes that go to the submitter
constexpr int temporary_failure = 75;          // EX_TEMPFAIL of sysexits.h

std::string_view end_of_stderr(const process::ChildResult& result) {
    std::string_view tail = result.error_output;
    if (tail.size() > reported_stderr) tail.remove_prefix(tail.size() - reported_stderr);
    while (tail.ends_with('\n'))
        tail.remove_suffix(1);
    return tail;
}

std::string failure_text(const process::ChildResult& result) {
    std::string_view tail = end_of_stderr(result);
    std::string text =
        base::concat("the command ", describe(result), result.succeeded() ? " and wrote no response" : "");
    return tail.empty() ? text : base::concat(text, tail.find('\n') == tail.npos ? ": " : ":\n", tail);
}

bool exited_with(const process::ChildResult& result, int code) {
    return result.end == End::exited && result.code == code;
}

// The exit codes are those of a shell that can't find or execute a command.
bool is_unusable(const process::ChildResult& result) {
    return exited_with(result, 127) || exited_with(result, 126) || result.is_too_large;
}

// Whether the failure is the agent's, not the task's.
bool is_unavailable(const process::ChildResult& result) {
    return exited_with(result, temporary_failure) || result.end == End::not_started;
}

WorkEnd failed(const process::ChildResult& result) {
    WorkEnd work;
    work.message = failure_text(result);
    if (result.end == End::exited && result.code != 0) work.exit_code = result.code;
    if (result.end == End::signalled) work.signal = result.code;
    return work;
}

}  // namespace

WorkEnd work_end_of(ChildEnd end) {
    const process::ChildResult& result = end.result;
    WorkEnd work = failed(result);
    if (result.end == End::cancelled && !end.kick) {
        work.kind = WorkEnd::Kind::stopped;
    } else if (result.succeeded() && !result.output.empty()) {
        work.kind = WorkEnd::Kind::responded;
        work.response = std::move(end.result.output);
    } else if (is_unusable(result)) {
        work.kind = WorkEnd::Kind::unusable;
    } else if (result.end == End::timed_out || end.kick == KickReason::timeout) {
        work.kind = WorkEnd::Kind::timed_out;
        std::string words(end_of_stderr(result));
        work.message = words.empty() ? words : base::concat("its command wrote to stderr: ", words);
    } else if (end.kick && result.end == End::cancelled) {
        work.kind = WorkEnd::Kind::kicked;
        work.message.clear();
    } else if (is_unavailable(result)) {
        work.kind = WorkEnd::Kind::unavailable;
    }
    work.kick = std::move(end.kick);
    return work;
}

asio::awaitable<WorkEnd> run_command(io::DirectoryWatch& watch, const pool_protocol::PoolDirectory& directory,
                                     const AgentOptions& options, const pool_client::Assignment& assignment) {
    process::ChildSpec spec;
    spec.script = options.group.settings.command;
    spec.input = assignment.content;
    spec.input_file = assignment.content_file.fd.get();
    for (const agent_driver::Variable& variable : options.group.settings.env)
        spec.unmarked.emplace_back(variable.name, variable.value);
    spec.filter_error_output = output::filter_with(redaction_for(options));
    ChildEnd end = co_await run_task_child(watch, directory, options, assignment, std::move(spec));
    co_return work_end_of(std::move(end));
}

}  // namespace agents
