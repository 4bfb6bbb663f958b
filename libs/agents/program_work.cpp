#include "agents/program_work.hpp"

#include "agents/agent_redaction.hpp"
#include "agents/conversations.hpp"
#include "agents/park.hpp"
#include "agents/program_run.hpp"
#include "agents/shown_activity.hpp"
#include "agents/surroundings.hpp"
#include "agents/task_images.hpp"
#include "agents/task_prompt.hpp"
#include "base/own_environment.hpp"
#include "io/log.hpp"

#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace agents {

namespace asio = boost::asio;
namespace {

constexpr std::chrono::minutes longest_trial{2};

constexpr std::string_view trial_task =
    R"({"task":{"kind":"Check","value":{"number":17}},)"
    R"("instructions":"Answer with a JSON array of one task: its kind is \"Checked\", and its value is an )"
    R"(object with the same \"number\". Use no tools."})";
constexpr std::string_view trial_schema =
    R"({"type":"array","minItems":1,"maxItems":1,"items":{"anyOf":[{"type":"object",)"
    R"("required":["kind","value"],"additionalProperties":false,"properties":{"kind":{"const":"Checked"},)"
    R"("value":{"type":"object","required":["number"],"additionalProperties":false,)"
    R"("properties":{"number":{"const":17}}}}}]}})";

WorkEnd without_program(WorkEnd::Kind kind, const base::Error& error) {
    WorkEnd work;
    work.kind = kind;
    work.message = error.message;
    return work;
}

WorkEnd without_images(const base::Error& error) {
    WorkEnd work = without_program(WorkEnd::Kind::failed, error);
    work.failure = agent_driver::failure_name(agent_driver::FailureKind::images);
    return work;
}

std::unique_ptr<Transcript> begin_transcript(const AgentOptions& options,
                                             const pool_client::Assignment& assignment,
                                             std::string_view content) {
    if (options.transcripts == nullptr) return nullptr;
    output::Variables variables;
    for (const agent_driver::Variable& variable : options.group.settings.env)
        variables.emplace_back(variable.name, variable.value);
    return options.transcripts->begin(task_kind(content), assignment.uuid, variables);
}

// What the agent works with, for all programs that it starts for one task.
struct Task {
    Task(io::DirectoryWatch& w, const pool_protocol::PoolDirectory& d, const AgentOptions& o,
         const pool_client::Assignment& a, agent_driver::Surroundings s, std::string_view c)
        : watch(w),
          directory(d),
          options(o),
          assignment(a),
          surroundings(std::move(s)),
          content(c),
          transcript(begin_transcript(options, assignment, content)) {}

    io::DirectoryWatch& watch;
    const pool_protocol::PoolDirectory& directory;
    const AgentOptions& options;
    const pool_client::Assignment& assignment;
    agent_driver::Surroundings surroundings;
    std::string content;
    std::unique_ptr<Transcript> transcript;  // null if none is kept
};

asio::awaitable<WorkEnd> run_once(const Task& task, agent_driver::Begun begun) {
    auto executor = co_await boost::asio::this_coro::executor;
    ShownActivity shown(*task.options.session, task.assignment.uuid);
    auto run = std::make_shared<ProgramRun>(
        executor, task.options.group, task.surroundings, task.content, task.assignment.response_schema,
        redaction_for(task.options),
        [&shown](const pool_protocol::AgentActivity& activity) { shown.change(activity); },
        task.transcript.get(), std::move(begun));
    auto spec = run->start();
    if (spec.has_error()) co_return without_program(WorkEnd::Kind::unusable, spec.error());
    ChildEnd end =
        co_await run_task_child(task.watch, task.directory, task.options, task.assignment, std::move(*spec));
    co_return run->end_of(std::move(end));
}

Conversations::Key key_of(const Task& task) {
    const agent_driver::Settings& settings = task.options.group.settings;
    return Conversations::key(settings, to_string(account_of(settings, base::own_variable)), task.content);
}

asio::awaitable<WorkEnd> do_task(const Task& task) {
    // A temporary here is freed twice by some versions of g++.
    const agent_driver::Begun none;
    Conversations* conversations = task.options.conversations;
    if (conversations == nullptr) co_return co_await run_once(task, none);
    const Conversations::Key key = key_of(task);
    const agent_driver::Begun begun = conversations->take(key, std::chrono::steady_clock::now());
    WorkEnd end = co_await run_once(task, begun);
    const bool is_lost = !begun.id.empty() && lacks_conversation(end, begun.id);
    if (is_lost) {
        io::log::info(task.options.name, ": the conversation ", begun.id,
                      " is not there any more; the task begins anew");
        if (has_no_conversation(end)) end = co_await run_once(task, none);
    }
    if (is_worth_resuming(end, !begun.id.empty()))
        conversations->keep(key, to_go_on(end, is_lost ? agent_driver::Usage() : begun.used),
                            std::chrono::steady_clock::now());
    co_return end;
}

}  // namespace

asio::awaitable<WorkEnd> run_program(io::DirectoryWatch& watch, const pool_protocol::PoolDirectory& directory,
                                     const AgentOptions& options, const pool_client::Assignment& assignment) {
    auto content = pool_client::content_of(assignment);
    if (content.has_error()) co_return without_program(WorkEnd::Kind::unavailable, content.error());
    auto surroundings = surroundings_of(options.group.settings);
    if (surroundings.has_error()) co_return without_program(WorkEnd::Kind::unusable, surroundings.error());
    auto images = task_images(options.group.settings, *content);
    if (images.has_error()) co_return without_images(images.error());
    surroundings->images = std::move(*images);
    Task task(watch, directory, options, assignment, std::move(*surroundings), *content);
    WorkEnd end = co_await do_task(task);
    if (task.transcript) task.transcript->finish();
    co_return end;
}

std::chrono::seconds trial_time(const agent_driver::AgentGroup& group) {
    return std::min<std::chrono::seconds>(longest_trial, group.settings.stall);
}

asio::awaitable<WorkEnd> try_program(agent_driver::AgentGroup group) {
    auto surroundings = surroundings_of(group.settings);
    if (surroundings.has_error()) co_return without_program(WorkEnd::Kind::unusable, surroundings.error());
    auto executor = co_await asio::this_coro::executor;
    auto run = std::make_shared<ProgramRun>(executor, group, *surroundings, trial_task,
                                            std::string(trial_schema), redaction_for(group.settings),
                                            [](const pool_protocol::AgentActivity&) {});
    auto spec = run->start();
    if (spec.has_error()) co_return without_program(WorkEnd::Kind::unusable, spec.error());
    spec->directory = group.settings.directory;
    spec->timeout = trial_time(group);
    ChildEnd end;
    end.result = co_await process::run_child(std::move(*spec));
    co_return run->end_of(std::move(end));
}

}  // namespace agents
