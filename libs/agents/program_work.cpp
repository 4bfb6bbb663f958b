#include "agents/program_work.hpp"

#include "agents/agent_redaction.hpp"
#include "agents/program_task.hpp"
#include "agents/project_instructions.hpp"
#include "agents/shown_activity.hpp"
#include "agents/surroundings.hpp"
#include "agents/task_prompt.hpp"
#include "base/text.hpp"
#include "io/active_timer.hpp"
#include "json/json.hpp"

#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>

namespace agents {

namespace asio = boost::asio;
using End = process::ChildResult::End;
using pool_protocol::KickReason;

namespace {

constexpr std::chrono::seconds time_to_end{1};  // of a program whose stdin was closed
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

ProgramTask::Time now() {
    return std::chrono::duration_cast<ProgramTask::Time>(io::ActiveClock::now().time_since_epoch());
}

bool is_set(const std::string& name, const process::Environment& added) {
    return ::getenv(name.c_str()) != nullptr ||
           std::ranges::find(added, name, &process::Environment::value_type::first) != added.end();
}

// The programs look a directory up by its real path, for example to know whether it is trusted.
agent_driver::AgentGroup in_real_directory(agent_driver::AgentGroup group) {
    std::error_code error;
    auto real = std::filesystem::canonical(group.settings.directory, error);
    if (!error) group.settings.directory = real.string();
    return group;
}

// Variables are removed by `env`, since a shell knows no names with other characters.
std::vector<std::string> command_line(const agent_driver::Launch& launch) {
    std::vector<std::string> words;
    if (!launch.removed.empty()) words.emplace_back("env");
    for (const std::string& name : launch.removed)
        words.insert(words.end(), {"-u", name});
    words.push_back(launch.program);
    words.insert(words.end(), launch.arguments.begin(), launch.arguments.end());
    return words;
}

agent_driver::Surroundings redacting(agent_driver::Surroundings surroundings,
                                     const std::shared_ptr<const output::Redaction>& redaction) {
    surroundings.redact = [redaction](std::string_view text) { return redaction->redact_quotes(text); };
    return surroundings;
}

// The program of one task, from its start to its end.
class ProgramRun : public std::enable_shared_from_this<ProgramRun> {
  public:
    using OnActivity = std::function<void(const pool_protocol::AgentActivity&)>;

    ProgramRun(const asio::any_io_executor& executor, const agent_driver::AgentGroup& group,
               const agent_driver::Surroundings& surroundings, std::string_view content,
               std::string response_schema, std::shared_ptr<const output::Redaction> redaction,
               OnActivity on_activity, std::unique_ptr<Transcript> transcript = nullptr)
        : redaction_(std::move(redaction)),
          task_(in_real_directory(group), content, std::move(response_schema),
                project_instructions(group.settings), redacting(surroundings, redaction_)),
          transcript_(std::move(transcript)),
          timer_(executor),
          on_activity_(std::move(on_activity)) {}

    // Fails if the program cannot be given what it needs.
    base::Result<process::ChildSpec> start();
    WorkEnd end_of(ChildEnd end);

  private:
    void output(std::string_view piece);
    void error_output(std::string_view piece);
    void carry_out(ProgramTask::Actions actions);
    void carry_out(ProgramTask::Write& write) { send(write.text); }
    void carry_out(ProgramTask::CloseInput&);
    void carry_out(ProgramTask::EndProgram&) { stop_->request(); }
    void carry_out(const ProgramTask::ShowActivity& show) { on_activity_(show.activity); }
    void carry_out(const ProgramTask::NoteRefusal& refusal);
    void send(std::string_view text);
    void keep(TranscriptLines::Source source, std::string_view piece);
    void wait_for_silence();
    void silent();
    WorkEnd end_without_result(const ChildEnd& end) const;

    std::shared_ptr<const output::Redaction> redaction_;
    ProgramTask task_;
    std::unique_ptr<Transcript> transcript_;  // null if none is kept
    io::ActiveTimer timer_;  // until the program has been silent for too long, or has not ended
    std::shared_ptr<process::ChildDialog> dialog_;
    std::shared_ptr<process::ChildStop> stop_ = std::make_shared<process::ChildStop>();
    OnActivity on_activity_;
};

base::Result<process::ChildSpec> ProgramRun::start() {
    agent_driver::Launch launch = task_.launch(now());
    if (auto written = write_files(launch.files); !written)
        return base::with_context("a file for the program", written.error());
    process::ChildSpec spec;
    spec.script = "exec \"$@\"";
    spec.arguments = command_line(launch);
    for (agent_driver::Variable& variable : launch.environment)
        spec.unmarked.emplace_back(std::move(variable.name), std::move(variable.value));
    for (std::string& name : launch.withheld)
        if (!is_set(name, spec.unmarked)) spec.unmarked.emplace_back(std::move(name), "");
    auto weak = weak_from_this();
    dialog_ = std::make_shared<process::ChildDialog>(
        [weak](std::string_view piece) {
            if (auto self = weak.lock()) self->output(piece);
        },
        [weak](std::string_view piece) {
            if (auto self = weak.lock()) self->error_output(piece);
        });
    for (const std::string& line : launch.lines)
        send(line + "\n");
    spec.dialog = dialog_;
    spec.filter_error_output = output::filter_with(redaction_);
    spec.stop = stop_;
    wait_for_silence();
    return spec;
}

void ProgramRun::output(std::string_view piece) {
    keep(TranscriptLines::Source::program, piece);
    carry_out(task_.output(piece, now()));
}

void ProgramRun::error_output(std::string_view piece) {
    keep(TranscriptLines::Source::error_output, piece);
    carry_out(task_.error_output(piece, now()));
}

void ProgramRun::send(std::string_view text) {
    keep(TranscriptLines::Source::agent, text);
    dialog_->send(text);
}

void ProgramRun::carry_out(const ProgramTask::NoteRefusal& refusal) {
    keep(TranscriptLines::Source::refusal, base::concat("{\"what\":", json::quote(refusal.denied.tool),
                                                        ",\"by\":", json::quote(refusal.denied.by), "}\n"));
}

void ProgramRun::keep(TranscriptLines::Source source, std::string_view piece) {
    if (transcript_) transcript_->add(source, piece);
}

void ProgramRun::carry_out(ProgramTask::Actions actions) {
    for (ProgramTask::Action& action : actions)
        std::visit([this](auto& item) { carry_out(item); }, action);
}

void ProgramRun::carry_out(ProgramTask::CloseInput&) {
    dialog_->close_input();
    timer_.expires_after(time_to_end);
    timer_.async_wait([weak = weak_from_this()](boost::system::error_code ec) {
        if (auto self = weak.lock(); self && !ec) self->stop_->request();
    });
}

// The deadline moves with each line; the timer is set again only when it has expired.
void ProgramRun::wait_for_silence() {
    auto deadline = task_.deadline();
    if (!deadline) return;
    timer_.expires_at(io::ActiveClock::time_point(*deadline));
    timer_.async_wait([weak = weak_from_this()](boost::system::error_code ec) {
        if (auto self = weak.lock(); self && !ec) self->silent();
    });
}

void ProgramRun::silent() {
    carry_out(task_.deadline_passed(now()));
    wait_for_silence();
}

WorkEnd ProgramRun::end_of(ChildEnd end) {
    timer_.cancel();
    const process::ChildResult& result = end.result;
    if (!task_.end() && (result.end == End::exited || result.end == End::signalled)) {
        agent_driver::Exit exit;
        (result.end == End::exited ? exit.code : exit.signal) = result.code;
        task_.exited(exit, now());
    }
    if (result.end == End::timed_out) task_.time_is_over();
    WorkEnd work = task_.end() ? *task_.end() : end_without_result(end);
    work.kick = std::move(end.kick);
    work.denied = task_.denied();
    if (!transcript_) return work;
    transcript_->finish();
    work.report->transcript = transcript_->path();
    if (work.kind == WorkEnd::Kind::timed_out)  // its report is not passed on
        work.message +=
            base::concat(work.message.empty() ? "" : "; ", "its transcript is ", transcript_->path());
    return work;
}

// The program was ended from outside.
WorkEnd ProgramRun::end_without_result(const ChildEnd& end) const {
    WorkEnd work;
    work.report = task_.report();
    if (end.result.end == End::timed_out || end.kick == KickReason::timeout) {
        work.kind = WorkEnd::Kind::timed_out;
        if (!task_.activity().text.empty())
            work.message = base::concat("its last activity was: ", activity_text(task_.activity()));
    } else if (end.kick) {
        work.kind = WorkEnd::Kind::kicked;
    } else if (end.result.end == End::cancelled) {
        work.kind = WorkEnd::Kind::stopped;
        work.message = "it was interrupted";
    } else {
        work.kind = end.result.is_too_large ? WorkEnd::Kind::unusable : WorkEnd::Kind::unavailable;
        work.message = base::concat(task_.report().kind, " ", describe(end.result));
    }
    return work;
}

WorkEnd without_program(WorkEnd::Kind kind, const base::Error& error) {
    WorkEnd work;
    work.kind = kind;
    work.message = error.message;
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

}  // namespace

asio::awaitable<WorkEnd> run_program(io::DirectoryWatch& watch, const pool_protocol::PoolDirectory& directory,
                                     const AgentOptions& options, const pool_client::Assignment& assignment) {
    auto content = pool_client::content_of(assignment);
    if (content.has_error()) co_return without_program(WorkEnd::Kind::unavailable, content.error());
    auto surroundings = surroundings_of(options.group.settings);
    if (surroundings.has_error()) co_return without_program(WorkEnd::Kind::unusable, surroundings.error());
    auto executor = co_await boost::asio::this_coro::executor;
    ShownActivity shown(*options.session, assignment.uuid);
    auto run = std::make_shared<ProgramRun>(
        executor, options.group, *surroundings, *content, assignment.response_schema, redaction_for(options),
        [&shown](const pool_protocol::AgentActivity& activity) { shown.change(activity); },
        begin_transcript(options, assignment, *content));
    auto spec = run->start();
    if (spec.has_error()) co_return without_program(WorkEnd::Kind::unusable, spec.error());
    ChildEnd end = co_await run_task_child(watch, directory, options, assignment, std::move(*spec));
    co_return run->end_of(std::move(end));
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
