#include "agents/program_run.hpp"

#include "agent_driver/room.hpp"
#include "agents/project_instructions.hpp"
#include "agents/surroundings.hpp"
#include "base/own_environment.hpp"
#include "base/text.hpp"
#include "json/json.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <utility>
#include <variant>

namespace agents {

using End = process::ChildResult::End;
using pool_protocol::KickReason;

namespace {

constexpr std::chrono::seconds time_to_end{1};  // of a program whose stdin was closed

std::uint64_t unix_now() {
    auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    return static_cast<std::uint64_t>(now.time_since_epoch().count());
}

ProgramTask::Time now() {
    return std::chrono::duration_cast<ProgramTask::Time>(io::ActiveClock::now().time_since_epoch());
}

bool is_set(const std::string& name, const process::Environment& added) {
    return ::getenv(name.c_str()) != nullptr ||
           std::ranges::find(added, name, &process::Environment::value_type::first) != added.end();
}

// The programs, libraries and modules of what the program starts are looked for in these.
constexpr std::array<const char*, 4> searched{"PATH", "LD_LIBRARY_PATH", "NODE_PATH", "PYTHONPATH"};

void search_absolute_places(process::Environment& added) {
    for (const char* name : searched) {
        auto set = std::find_if(added.rbegin(), added.rend(),
                                [name](const auto& each) { return each.first == name; });
        const std::string all = set != added.rend() ? set->second : base::own_variable(name);
        std::string places = absolute_places(all);
        if (places.empty() && name == std::string_view("PATH")) places = "/bin:/usr/bin";
        if (places != all) added.emplace_back(name, std::move(places));
    }
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

// Follows also a link that leads to nothing: a file that is written there comes into being. Empty if there
// are too many links.
std::string real_path(const std::string& path) {
    constexpr int most_links = 40;
    std::filesystem::path done = "/";
    const auto given = std::filesystem::path(path).relative_path();
    std::deque<std::filesystem::path> rest(given.begin(), given.end());
    for (int links = 0; !rest.empty();) {
        const std::filesystem::path name = std::move(rest.front());
        rest.pop_front();
        std::error_code is_no_link;
        const auto target = std::filesystem::read_symlink(done / name, is_no_link);
        if (is_no_link) {
            done = (done / name).lexically_normal();
            continue;
        }
        if (++links > most_links) return "";
        if (target.is_absolute()) done = "/";
        const auto below = target.relative_path();
        rest.insert(rest.begin(), below.begin(), below.end());
    }
    return done.string();
}

agent_driver::Surroundings redacting(agent_driver::Surroundings surroundings,
                                     const std::shared_ptr<const output::Redaction>& redaction) {
    surroundings.redact = [redaction](std::string_view text) { return redaction->redact_quotes(text); };
    surroundings.redact_pieces = [redaction] { return output::filter_with(redaction); };
    surroundings.real_path = real_path;
    return surroundings;
}

}  // namespace

ProgramRun::ProgramRun(const boost::asio::any_io_executor& executor, const agent_driver::AgentGroup& group,
                       const agent_driver::Surroundings& surroundings, std::string_view content,
                       std::string response_schema, std::shared_ptr<const output::Redaction> redaction,
                       OnActivity on_activity, Transcript* transcript, agent_driver::Begun begun)
    : redaction_(std::move(redaction)),
      task_(in_real_directory(group), content, std::move(response_schema),
            project_instructions(group.settings), redacting(surroundings, redaction_), std::move(begun)),
      transcript_(transcript),
      timer_(executor),
      on_activity_(std::move(on_activity)),
      trusts_directory_(group.settings.project_settings),
      since_(unix_now()) {}

base::Result<process::ChildSpec> ProgramRun::start() {
    agent_driver::Launch launch = task_.launch(now());
    if (auto written = write_files(launch.files); !written)
        return base::with_context("a file for the program", written.error());
    process::ChildSpec spec;
    spec.script = "exec \"$@\"";
    spec.arguments = command_line(launch);
    for (agent_driver::Variable& variable : launch.environment)
        spec.unmarked.emplace_back(std::move(variable.name), std::move(variable.value));
    if (!trusts_directory_) search_absolute_places(spec.unmarked);
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

// A program that asks for more, and does not read what it gets, may do so without an end.
void ProgramRun::carry_out(ProgramTask::Write& write) {
    if (dialog_->unread() > agent_driver::Room::most) return carry_out(task_.not_read());
    send(write.text);
}

void ProgramRun::carry_out(ProgramTask::ShowActivity& show) {
    show.activity.since = since_;
    on_activity_(show.activity);
}

void ProgramRun::carry_out(const ProgramTask::NoteRefusal& refusal) {
    keep(TranscriptLines::Source::refusal, base::concat("{\"what\":", json::quote(refusal.denied.tool),
                                                        ",\"by\":", json::quote(refusal.denied.by), "}\n"));
}

void ProgramRun::keep(TranscriptLines::Source source, std::string_view piece) {
    if (transcript_ != nullptr) transcript_->add(source, piece);
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
    work.report->since = since_;
    if (transcript_ == nullptr) return work;
    transcript_->end_program();
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

}  // namespace agents
