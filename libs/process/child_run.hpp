// A child from its start until it is reaped. Internal to process/child_process.
#pragma once

#include "io/active_timer.hpp"
#include "process/child_process.hpp"
#include "process/child_stdin.hpp"
#include "process/family.hpp"
#include "process/spawn.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/process/v2/process.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace process {

// Kept alive by its handlers; finished() tells when it has ended.
class ChildRun : public std::enable_shared_from_this<ChildRun> {
  public:
    ChildRun(boost::asio::any_io_executor executor, ChildSpec spec)
        : spec_(std::move(spec)),
          process_(executor),
          exit_(executor),
          output_(executor),
          error_output_(executor),
          timeout_(executor),
          timer_(executor),
          stop_timer_(executor),
          finished_timer_(executor, boost::asio::steady_timer::time_point::max()) {}

    ShellRequest request();
    void start(SpawnedShell shell);
    void give_up(const base::Error& error);
    void cancel() { end_unless_exited(ChildResult::End::cancelled); }
    bool finished() const { return finished_; }
    boost::asio::steady_timer& finished_timer() { return finished_timer_; }
    ChildResult take_result() { return std::move(result_); }

  private:
    void read_output();
    void take_output(std::string_view piece);
    void read_error_output();
    void wait_for_exit();
    void look_for_stops();
    void tell_of_stop();
    void end_unless_exited(ChildResult::End why);
    bool has_exited();
    void end_early(ChildResult::End why);
    void filter_error_output(std::string_view piece, bool is_end);
    void keep_error_output(std::string_view piece);
    void exited();
    void finish_if_drained();
    void finish();
    void finish_when_gone();
    std::optional<int> living_process() const;
    void close_streams();
    void kill_all();
    void reap();
    void signal_group(int signal) { ::kill(-pid_, signal); }

    ChildSpec spec_;
    boost::process::v2::process process_;  // owns the child until it is reaped
    boost::asio::posix::stream_descriptor
        exit_;                           // a pidfd: readable after the exit, before the child is reaped
    std::shared_ptr<ChildStdin> stdin_;  // of a dialog
    boost::asio::posix::stream_descriptor output_;
    boost::asio::posix::stream_descriptor error_output_;
    io::ActiveTimer timeout_;
    boost::asio::steady_timer timer_;  // for the delays above
    boost::asio::steady_timer stop_timer_;
    boost::asio::steady_timer finished_timer_;
    static constexpr std::size_t read_size = 64 * 1024;
    std::string output_buffer_ = std::string(read_size, '\0');
    std::string error_buffer_ = std::string(read_size, '\0');
    ChildResult result_;
    std::optional<Family> family_;  // unless processes may leave the group
    int pid_ = -1;
    std::optional<int> stopped_;  // the process that was found stopped at last
    long parents_memory_ = 0;     // that of this process when it started the child, in kibibytes
    bool ending_early_ = false;
    bool killed_ = false;  // SIGKILL was sent
    bool exited_ = false;
    bool finishing_ = false;  // nothing is read any more
    int gone_checks_ = 0;
    bool finished_ = false;
};

}  // namespace process
