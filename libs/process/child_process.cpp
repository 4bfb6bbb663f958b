#include "process/child_process.hpp"

#include "base/text.hpp"
#include "io/active_timer.hpp"
#include "process/family.hpp"
#include "process/live_groups.hpp"
#include "process/start_queue.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/process/v2/process.hpp>

#include <memory>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace process {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

constexpr std::chrono::seconds kill_delay{2};         // from SIGTERM to SIGKILL
constexpr std::chrono::milliseconds drain_time{250};  // for output that arrives after the shell has exited
constexpr std::size_t kept_error_output = 64 * 1024;
constexpr std::size_t read_size = 64 * 1024;

// A child from its start until it is reaped. Kept alive by its handlers; finished() tells when it has ended.
class ChildRun : public std::enable_shared_from_this<ChildRun> {
  public:
    ChildRun(asio::any_io_executor executor, ChildSpec spec)
        : spec_(std::move(spec)),
          process_(executor),
          exit_(executor),
          output_(executor),
          error_output_(executor),
          timeout_(executor),
          timer_(executor),
          finished_timer_(executor, asio::steady_timer::time_point::max()) {}

    ShellRequest request();
    void start(SpawnedShell shell);
    void give_up(const base::Error& error);
    void cancel() { end_unless_exited(ChildResult::End::cancelled); }
    bool finished() const { return finished_; }
    asio::steady_timer& finished_timer() { return finished_timer_; }
    ChildResult take_result() { return std::move(result_); }

  private:
    void read_output();
    void read_error_output();
    void wait_for_exit();
    void end_unless_exited(ChildResult::End why);
    bool has_exited();
    void end_early(ChildResult::End why);
    void keep_error_output(std::size_t size);
    void exited();
    void finish_if_drained();
    void finish();
    void close_streams();
    void kill_all();
    void reap();
    void signal_group(int signal) { ::kill(-pid_, signal); }

    ChildSpec spec_;
    boost::process::v2::process process_;  // owns the child until it is reaped
    asio::posix::stream_descriptor exit_;  // a pidfd: readable after the exit, before the child is reaped
    asio::posix::stream_descriptor output_;
    asio::posix::stream_descriptor error_output_;
    io::ActiveTimer timeout_;
    asio::steady_timer timer_;  // for the delays above
    asio::steady_timer finished_timer_;
    std::string output_buffer_ = std::string(read_size, '\0');
    std::string error_buffer_ = std::string(read_size, '\0');
    ChildResult result_;
    std::optional<Family> family_;  // unless processes may leave the group
    int pid_ = -1;
    bool ending_early_ = false;
    bool killed_ = false;  // SIGKILL was sent
    bool exited_ = false;
    bool finished_ = false;
};

ShellRequest ChildRun::request() {
    return {spec_.script,
            spec_.directory,
            spec_.environment,
            std::move(spec_.input),
            spec_.detached ? ShellStreams::shared : ShellStreams::piped,
            spec_.input_file};
}

void ChildRun::start(SpawnedShell shell) {
    pid_ = shell.pid;
    add_live_group({pid_, spec_.detached});
    if (spec_.detached) let_begin(shell);
    if (!spec_.detached) family_.emplace(std::vector{pid_}, spec_.environment);
    process_ = boost::process::v2::process(timer_.get_executor(), pid_);
    result_.end = ChildResult::End::exited;
    exit_.assign(shell.exit.release());  // Boost.Process has a pidfd of its own, but does not expose it
    if (!spec_.detached) {
        output_.assign(shell.output.release());
        error_output_.assign(shell.error_output.release());
        read_output();
        read_error_output();
    }
    wait_for_exit();
    if (spec_.stop)
        spec_.stop->connect([weak = weak_from_this()] {
            if (auto self = weak.lock()) self->cancel();
        });
    if (!spec_.timeout) return;
    timeout_.expires_after(*spec_.timeout);
    timeout_.async_wait([weak = weak_from_this()](error_code ec) {
        if (auto self = weak.lock(); self && !ec) self->end_unless_exited(ChildResult::End::timed_out);
    });
}

void ChildRun::read_output() {
    output_.async_read_some(asio::buffer(output_buffer_),
                            [self = shared_from_this()](error_code ec, std::size_t size) {
                                if (self->finished_) return;
                                if (ec) {
                                    self->output_.close();
                                    return self->finish_if_drained();
                                }
                                if (self->result_.output.size() + size > self->spec_.max_output)
                                    return self->end_early(ChildResult::End::too_much_output);
                                self->result_.output.append(self->output_buffer_, 0, size);
                                self->read_output();
                            });
}

void ChildRun::read_error_output() {
    error_output_.async_read_some(asio::buffer(error_buffer_),
                                  [self = shared_from_this()](error_code ec, std::size_t size) {
                                      if (self->finished_) return;
                                      if (ec) {
                                          self->error_output_.close();
                                          return self->finish_if_drained();
                                      }
                                      self->keep_error_output(size);
                                      self->read_error_output();
                                  });
}

void ChildRun::keep_error_output(std::size_t size) {
    std::string& kept = result_.error_output;
    kept.append(error_buffer_, 0, size);
    if (kept.size() > 2 * kept_error_output) kept.erase(0, kept.size() - kept_error_output);
}

void ChildRun::wait_for_exit() {
    exit_.async_wait(asio::posix::stream_descriptor::wait_read, [self = shared_from_this()](error_code ec) {
        if (!ec) self->exited();
    });
}

// A child that has exited already, for example while this process was suspended, ended by itself.
void ChildRun::end_unless_exited(ChildResult::End why) {
    if (has_exited())
        exited();
    else
        end_early(why);
}

bool ChildRun::has_exited() {
    pollfd poll{exit_.native_handle(), POLLIN, 0};
    return ::poll(&poll, 1, 0) > 0;
}

void ChildRun::end_early(ChildResult::End why) {
    if (finished_ || ending_early_) return;
    ending_early_ = true;
    result_.end = why;
    timeout_.cancel();
    if (why == ChildResult::End::too_much_output) output_.close();
    if (family_)
        family_->terminate();
    else
        signal_group(SIGTERM);
    timer_.expires_after(kill_delay);
    timer_.async_wait([self = shared_from_this()](error_code ec) {
        if (ec || self->finished_) return;
        self->killed_ = true;
        self->kill_all();
        if (self->exited_) self->finish();
    });
}

void ChildRun::exited() {
    if (std::exchange(exited_, true)) return;
    timeout_.cancel();
    finish_if_drained();
    if (finished_ || (ending_early_ && !killed_)) return;
    timer_.expires_after(drain_time);
    timer_.async_wait([self = shared_from_this()](error_code ec) {
        if (!ec) self->finish();
    });
}

void ChildRun::finish_if_drained() {
    if (exited_ && !output_.is_open() && !error_output_.is_open()) finish();
}

void ChildRun::finish() {
    if (finished_) return;
    close_streams();  // the search for processes outside of the group needs descriptors
    // Kills what is left. The shell is not reaped yet, so the group's id cannot be reused.
    if (ending_early_)
        kill_all();
    else if (!spec_.detached)
        signal_group(SIGKILL);
    reap();
    exit_.close();
    timer_.cancel();
    std::string& kept = result_.error_output;
    if (kept.size() > kept_error_output) kept.erase(0, kept.size() - kept_error_output);
    finished_ = true;
    finished_timer_.cancel();
    child_has_ended();
}

void ChildRun::close_streams() {
    output_.close();
    error_output_.close();
}

// Kills the group and, unless they are allowed to leave it, the processes that have left it.
void ChildRun::kill_all() {
    if (family_)
        family_->kill();
    else
        signal_group(SIGKILL);
}

void ChildRun::reap() {
    remove_live_group(pid_);
    error_code ec;
    process_.wait(ec);
    int status = process_.native_exit_code();
    process_.detach();  // its destructor would look for a process with that pid again
    if (result_.end != ChildResult::End::exited) return;
    if (WIFSIGNALED(status)) {
        result_.end = ChildResult::End::signalled;
        result_.code = WTERMSIG(status);
    } else {
        result_.code = WEXITSTATUS(status);
    }
}

void ChildRun::give_up(const base::Error& error) {
    bool is_cancelled = error.code == boost::system::errc::operation_canceled;
    result_.end = is_cancelled ? ChildResult::End::cancelled : ChildResult::End::not_started;
    result_.message = error.message;
    finished_ = true;
}

}  // namespace

asio::awaitable<ChildResult> run_child(ChildSpec spec) {
    bool throws = co_await asio::this_coro::throw_if_cancelled();
    co_await asio::this_coro::throw_if_cancelled(false);
    auto run = std::make_shared<ChildRun>(co_await asio::this_coro::executor, std::move(spec));
    asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) {
        co_await asio::this_coro::throw_if_cancelled(throws);
        ChildResult never_started;
        never_started.end = ChildResult::End::cancelled;
        co_return never_started;
    }
    base::Result<SpawnedShell> shell = co_await start_shell(run->request());
    if (shell)
        run->start(std::move(*shell));
    else
        run->give_up(shell.error());
    while (!run->finished()) {
        error_code ignored;
        co_await run->finished_timer().async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        if (!run->finished()) run->cancel();
    }
    co_await asio::this_coro::throw_if_cancelled(throws);
    ChildResult result = run->take_result();
    if (state.cancelled() != asio::cancellation_type::none && was_interrupted(result))
        result.end = ChildResult::End::cancelled;
    co_return result;
}

void kill_all_children() {
    for (LiveGroup group : live_groups())
        ::kill(-group.id, SIGKILL);
}

}  // namespace process
