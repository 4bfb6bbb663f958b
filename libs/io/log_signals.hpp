// The signals that change the log of a process while it runs: SIGUSR1 and SIGUSR2 its level, SIGHUP its file.
#pragma once

#include <boost/asio/any_io_executor.hpp>

#include <memory>

namespace io {

// What a SIGHUP does.
enum class Hangup {
    ignored,  // nohup has started the process
    ends,     // it is that of the process's terminal, or there is no log file: as SIGTERM
    reopens,  // the log file is opened again, which may have been renamed
};

// Pure.
Hangup hangup_of(bool is_ignored, bool has_terminal, bool has_log_file);
// What a SIGHUP does to this process; to be asked before its terminal may be gone.
Hangup current_hangup(bool has_log_file);

// As long as it exists, SIGUSR1 makes the log one level more talkative, and SIGUSR2 one less. If
// `hangup` says so, SIGHUP opens the log file again. Keeps the event loop running. May be destroyed at any
// time, also while a signal is being delivered.
class LogSignals {
  public:
    LogSignals(const boost::asio::any_io_executor& executor, Hangup hangup);
    ~LogSignals();
    LogSignals(const LogSignals&) = delete;
    LogSignals& operator=(const LogSignals&) = delete;

  private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace io
