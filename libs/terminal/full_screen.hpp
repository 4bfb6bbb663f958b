// Uses the whole terminal: the alternate screen, which is redrawn in place, and keys that are available at
// once and not echoed. Does not write, read keys or handle signals: before a program ends, even by a signal,
// it must leave the screen and destroy UnseenKeys, or the terminal stays in this state.
#pragma once

#include "terminal/size.hpp"

#include <string>
#include <termios.h>
#include <vector>

namespace terminal {

// The bytes to write; each string in one piece. Leaving restores the earlier screen and the cursor.
std::string enter_full_screen();
// The whole screen: as many lines as there are rows, cut to the width.
std::string full_screen_frame(const std::vector<std::string>& lines, Size size);
std::string leave_full_screen();

// While it exists, keys are available at once and not echoed; Ctrl-C still sends a signal. The destructor
// restores the terminal's settings.
class UnseenKeys {
  public:
    // No effect if `fd` is not a terminal.
    explicit UnseenKeys(int fd);
    ~UnseenKeys();
    UnseenKeys(const UnseenKeys&) = delete;
    UnseenKeys& operator=(const UnseenKeys&) = delete;

  private:
    int fd_;
    bool changed_ = false;
    termios before_{};
};

}  // namespace terminal
