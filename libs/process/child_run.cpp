#include "process/child_run.hpp"

#include "io/log.hpp"
#include "process/live_groups.hpp"
#include "process/orphans.hpp"
#include "process/start_queue.hpp"
#include "process/table.hpp"

#include <boost/asio/buffer.hpp>

#include <cerrno>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

namespace process {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

constexpr std::chrono::seconds kill_delay{2};         // from SIGTERM to SIGKILL
constexpr std::chrono::milliseconds drain_time{250};  // for output that arrives after the shell has exited
constexpr std::chrono::seconds stop_interval{5};
constexpr std::chrono::milliseconds gone_interval{10};
constexpr int most_gone_checks = 500;  // so it takes less than the time for which a pool waits for an agent
constexpr std::size_t kept_error_output = 64 * 1024;

// The peak of this process's memory, in kibibytes.
long own_peak_memory() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

}  // namespace

ShellRequest ChildRun::request() {
    ShellRequest request{spec_.script,           spec_.directory,     spec_.environment,
                         std::move(spec_.input), ShellStreams::piped, spec_.input_file};
    request.environment.insert(request.environment.end(), spec_.unmarked.begin(), spec_.unmarked.end());
    request.arguments = spec_.arguments;
    if (spec_.dialog) request.streams = ShellStreams::open;
    if (spec_.detached) request.streams = ShellStreams::shared;
    return request;
}

void ChildRun::start(SpawnedShell shell) {
    pid_ = shell.pid;
    parents_memory_ = own_peak_memory();
    add_live_group({pid_, spec_.detached});
    if (spec_.detached) let_begin(shell);
    if (!spec_.detached) family_.emplace(std::vector{pid_}, spec_.environment);
    process_ = boost::process::v2::process(timer_.get_executor(), pid_);
    result_.end = ChildResult::End::exited;
    exit_.assign(shell.exit.release());  // Boost.Process has a pidfd of its own, but does not expose it
    if (!spec_.detached) {
        output_.assign(shell.output.release());
        error_output_.assign(shell.error_output.release());
        if (spec_.dialog) {
            stdin_ = std::make_shared<ChildStdin>(timer_.get_executor(), spec_.dialog);
            stdin_->start(std::move(shell.input));
        }
        read_output();
        read_error_output();
    }
    wait_for_exit();
    look_for_stops();
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
                                if (self->finishing_) return;
                                if (ec) {
                                    self->output_.close();
                                    return self->finish_if_drained();
                                }
                                self->take_output(std::string_view(self->output_buffer_).substr(0, size));
                            });
}

void ChildRun::take_output(std::string_view piece) {
    if (spec_.on_output) spec_.on_output(piece);
    if (spec_.dialog) {
        spec_.dialog->output(piece);
    } else {
        if (result_.output.size() + piece.size() > spec_.max_output)
            return end_early(ChildResult::End::too_much_output);
        result_.output.append(piece);
    }
    read_output();
}

void ChildRun::read_error_output() {
    error_output_.async_read_some(
        asio::buffer(error_buffer_), [self = shared_from_this()](error_code ec, std::size_t size) {
            if (self->finishing_) return;
            if (ec) {
                self->error_output_.close();
                return self->finish_if_drained();
            }
            self->filter_error_output(std::string_view(self->error_buffer_).substr(0, size), false);
            self->read_error_output();
        });
}

void ChildRun::filter_error_output(std::string_view piece, bool is_end) {
    if (!spec_.filter_error_output) {
        if (!piece.empty()) keep_error_output(piece);
    } else if (const std::string filtered = spec_.filter_error_output(piece, is_end); !filtered.empty()) {
        keep_error_output(filtered);
    }
}

void ChildRun::keep_error_output(std::string_view piece) {
    if (spec_.on_error_output) spec_.on_error_output(piece);
    if (spec_.dialog) spec_.dialog->error_output(piece);
    std::string& kept = result_.error_output;
    kept.append(piece);
    if (kept.size() > 2 * kept_error_output) kept.erase(0, kept.size() - kept_error_output);
}

void ChildRun::wait_for_exit() {
    exit_.async_wait(asio::posix::stream_descriptor::wait_read, [self = shared_from_this()](error_code ec) {
        if (!ec) self->exited();
    });
}

// Nothing reports that a process was stopped, except to its parent.
void ChildRun::look_for_stops() {
    stop_timer_.expires_after(stop_interval);
    stop_timer_.async_wait([weak = weak_from_this()](error_code ec) {
        auto self = weak.lock();
        if (!self || ec || self->exited_) return;
        self->tell_of_stop();
        self->look_for_stops();
    });
}

void ChildRun::tell_of_stop() {
    auto stopped = stopped_process(pid_);
    if (stopped && stopped != stopped_)
        io::log::warn(spec_.name, ": process ", *stopped, " was stopped by a signal; `kill -CONT ", *stopped,
                      "` continues it");
    stopped_ = stopped;
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
    if (finishing_ || ending_early_) return;
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
        if (ec || self->finishing_) return;
        self->killed_ = true;
        self->kill_all();
        if (self->exited_) self->finish();
    });
}

void ChildRun::exited() {
    if (std::exchange(exited_, true)) return;
    timeout_.cancel();
    finish_if_drained();
    if (finishing_ || (ending_early_ && !killed_)) return;
    timer_.expires_after(drain_time);
    timer_.async_wait([self = shared_from_this()](error_code ec) {
        if (!ec) self->finish();
    });
}

void ChildRun::finish_if_drained() {
    if (exited_ && !output_.is_open() && !error_output_.is_open()) finish();
}

void ChildRun::finish() {
    if (std::exchange(finishing_, true)) return;
    close_streams();  // the search for processes outside of the group needs descriptors
    // Kills what is left. The shell is not reaped yet, so the group's id cannot be reused.
    if (ending_early_)
        kill_all();
    else if (!spec_.detached)
        signal_group(SIGKILL);
    reap();
    exit_.close();
    stop_timer_.cancel();
    filter_error_output({}, true);
    std::string& kept = result_.error_output;
    if (kept.size() > kept_error_output) kept.erase(0, kept.size() - kept_error_output);
    finish_when_gone();
}

void ChildRun::finish_when_gone() {
    auto living = living_process();
    if (living && gone_checks_++ < most_gone_checks) {
        timer_.expires_after(gone_interval);
        timer_.async_wait([self = shared_from_this()](error_code) { self->finish_when_gone(); });
        return;
    }
    if (living)
        io::log::warn(spec_.name, ": process ", *living,
                      " was killed but has not ended after 5 s; 'ps -o stat,wchan ", *living,
                      "' shows what it waits for");
    timer_.cancel();
    finished_ = true;
    finished_timer_.cancel();
    child_has_ended();
}

// One of those that were killed.
std::optional<int> ChildRun::living_process() const {
    if (spec_.detached && !ending_early_) return std::nullopt;
    if (family_ && ending_early_) return family_->living();
    bool is_empty = ::kill(-pid_, 0) != 0;
    return is_empty ? std::nullopt : Table::recent().member_of(pid_);
}

void ChildRun::close_streams() {
    if (stdin_) stdin_->close();
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
    int status = 0;
    rusage usage{};
    while (::wait4(pid_, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    remove_own_child(pid_);
    process_.detach();  // its destructor would look for a process with that pid again
    result_.use = use_of(usage, parents_memory_);
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
    result_.is_too_large = error.code == boost::system::errc::argument_list_too_long;
    finished_ = true;
}

}  // namespace process
