#include "agents/shell_work.hpp"

#include "agents/agent_redaction.hpp"
#include "agents/command_output.hpp"
#include "agents/shown_activity.hpp"
#include "base/text.hpp"
#include "process/child_input.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <unistd.h>
#include <utility>

namespace agents {

namespace asio = boost::asio;
using End = process::ChildResult::End;
using pool_protocol::CommandEnd;
using pool_protocol::CommandTask;
using pool_protocol::KickReason;

namespace {

WorkEnd ended(WorkEnd::Kind kind, std::string message = {}) {
    WorkEnd work;
    work.kind = kind;
    work.message = std::move(message);
    return work;
}

WorkEnd refusal(const base::Error& why) {
    WorkEnd work = ended(WorkEnd::Kind::failed, why.message);
    work.failure = "no_command";
    work.is_permanent = true;
    return work;
}

CommandEnd::How how_of(End end) {
    switch (end) {
        case End::exited:
            return CommandEnd::How::exited;
        case End::signalled:
            return CommandEnd::How::signalled;
        case End::too_much_output:
            return CommandEnd::How::too_much_output;
        case End::not_started:
            return CommandEnd::How::not_started;
        case End::timed_out:
        case End::cancelled:  // by the pool, because the time was over
            break;
    }
    return CommandEnd::How::timed_out;
}

// A file in memory that exists as long as the descriptor is open, and its path for other processes.
struct MemoryFile {
    io::UniqueFd fd;
    std::string path;
};

base::Result<MemoryFile> memory_file(std::string text) {
    auto fd = process::file_in_memory(std::move(text));
    if (!fd) return fd.error();
    std::string path = base::concat("/proc/", ::getpid(), "/fd/", fd->get());
    return MemoryFile{std::move(*fd), std::move(path)};
}

}  // namespace

process::Environment variables_of(const agent_driver::Settings& settings, const CommandTask& task) {
    process::Environment variables = task.variables;
    for (const agent_driver::Variable& variable : settings.env) {
        bool is_given = std::ranges::any_of(task.variables,
                                            [&](const auto& given) { return given.first == variable.name; });
        if (!is_given) variables.emplace_back(variable.name, variable.value);
    }
    return variables;
}

WorkEnd shell_end_of(ChildEnd end, std::string error_output) {
    const bool was_cancelled = end.result.end == End::cancelled;
    WorkEnd work;
    if (was_cancelled && !end.kick) {
        work = ended(WorkEnd::Kind::stopped);
    } else if (was_cancelled && *end.kick != KickReason::timeout) {
        work = ended(WorkEnd::Kind::kicked);
    } else {
        CommandEnd told;
        told.how = how_of(end.result.end);
        told.code = end.result.code;
        told.message = std::move(end.result.message);
        told.output = std::move(end.result.output);
        told.error_output = std::move(error_output);
        told.cpu = end.result.use.cpu;
        told.peak_memory = end.result.use.peak_memory;
        work = ended(WorkEnd::Kind::responded);
        work.response = to_text(told);
    }
    work.kick = std::move(end.kick);
    return work;
}

asio::awaitable<WorkEnd> run_shell(io::DirectoryWatch& watch, const pool_protocol::PoolDirectory& directory,
                                   const AgentOptions& options, const pool_client::Assignment& assignment) {
    const agent_driver::Settings& settings = options.group.settings;
    auto content = pool_client::content_of(assignment);
    if (content.has_error()) co_return ended(WorkEnd::Kind::unavailable, content.error().message);
    auto command = pool_protocol::parse_command(*content);
    if (command.has_error()) co_return refusal(command.error());
    process::ChildSpec spec;
    spec.script = std::move(command->task.script);
    spec.input = std::move(command->input);
    spec.max_output = command->task.max_output;
    spec.unmarked = variables_of(settings, command->task);
    std::optional<MemoryFile> previous;
    if (!command->task.previous_attempts.empty()) {
        auto file = memory_file(std::move(command->task.previous_attempts));
        if (file.has_error()) co_return ended(WorkEnd::Kind::unavailable, file.error().message);
        previous.emplace(std::move(*file));
        spec.unmarked.emplace_back("BARNUM_PREVIOUS_ATTEMPTS", previous->path);
    }
    ShownActivity shown(*options.session, assignment.uuid);
    CommandOutput output;
    spec.filter_error_output = output::filter_with(redaction_for(options, command->task.variables));
    spec.on_error_output = [&](std::string_view piece) {
        pool_protocol::AgentActivity activity;
        auto line = output.add(piece);
        if (!line) return;
        activity.text = std::move(*line);
        shown.change(activity);
    };
    ChildEnd end = co_await run_task_child(watch, directory, options, assignment, std::move(spec));
    std::error_code ignored;
    if (end.result.end == End::not_started && !std::filesystem::is_directory(settings.directory, ignored))
        co_return ended(WorkEnd::Kind::unavailable, end.result.message);
    std::string error_output = output.text(end.result.error_output);
    co_return shell_end_of(std::move(end), std::move(error_output));
}

}  // namespace agents
