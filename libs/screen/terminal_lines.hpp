// Lines that the user types on stdin, until SIGINT, SIGTERM or SIGHUP. Blocking. One object at a time.
#pragma once

#include <array>
#include <csignal>
#include <optional>
#include <string>

namespace screen {

class TerminalLines {
  public:
    // From here on the signals have no effect but that of read(). An ignored SIGHUP (nohup) stays ignored.
    TerminalLines();
    ~TerminalLines();
    TerminalLines(const TerminalLines&) = delete;
    TerminalLines& operator=(const TerminalLines&) = delete;

    // The next line without its newline. None at the end of the input (Ctrl-D), and after a signal.
    std::optional<std::string> read();
    // The signal that came; 0: none.
    int signal_number() const;

  private:
    bool read_more();

    static constexpr std::array ending{SIGINT, SIGTERM, SIGHUP};
    std::array<struct sigaction, ending.size()> before_{};
    std::string typed_;
};

}  // namespace screen
