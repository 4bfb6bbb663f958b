// The program of one task, from its start to its end: the shell around ProgramTask.
#pragma once

#include "agents/program_task.hpp"
#include "agents/task_child.hpp"
#include "agents/transcript.hpp"
#include "io/active_timer.hpp"
#include "output/redaction.hpp"
#include "process/child_dialog.hpp"
#include "process/child_process.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace agents {

class ProgramRun : public std::enable_shared_from_this<ProgramRun> {
  public:
    using OnActivity = std::function<void(const pool_protocol::AgentActivity&)>;

    // `transcript` is null if none is kept; it outlives the run. `begun`: to be gone on with.
    ProgramRun(const boost::asio::any_io_executor& executor, const agent_driver::AgentGroup& group,
               const agent_driver::Surroundings& surroundings, std::string_view content,
               std::string response_schema, std::shared_ptr<const output::Redaction> redaction,
               OnActivity on_activity, Transcript* transcript = nullptr, agent_driver::Begun begun = {});

    // Fails if the program cannot be given what it needs.
    base::Result<process::ChildSpec> start();
    WorkEnd end_of(ChildEnd end);

  private:
    void output(std::string_view piece);
    void error_output(std::string_view piece);
    void carry_out(ProgramTask::Actions actions);
    void carry_out(ProgramTask::Write& write);
    void carry_out(ProgramTask::CloseInput&);
    void carry_out(ProgramTask::EndProgram&) { stop_->request(); }
    void carry_out(ProgramTask::ShowActivity& show);
    void carry_out(const ProgramTask::NoteRefusal& refusal);
    void send(std::string_view text);
    void keep(TranscriptLines::Source source, std::string_view piece);
    void wait_for_silence();
    void silent();
    WorkEnd end_without_result(const ChildEnd& end) const;

    std::shared_ptr<const output::Redaction> redaction_;
    ProgramTask task_;
    Transcript* transcript_;  // null if none is kept
    io::ActiveTimer timer_;   // until the program has been silent for too long, or has not ended
    std::shared_ptr<process::ChildDialog> dialog_;
    std::shared_ptr<process::ChildStop> stop_ = std::make_shared<process::ChildStop>();
    OnActivity on_activity_;
    bool trusts_directory_;
    std::uint64_t since_;  // Unix time in ms
};

}  // namespace agents
