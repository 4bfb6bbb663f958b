// A program that has the whole terminal: the alternate screen, drawn again in place, and keys that arrive
// when they are pressed and are not shown. Writes nothing, reads no keys and handles no signals itself: who
// ends on one has to leave the screen and destroy UnseenKeys first, or the terminal stays as it is.
#pragma once

#include "terminal/size.hpp"

#include <string>
#include <termios.h>
#include <vector>

namespace terminal {

// Bytes to be written, in the order of the calls; each in one piece. Who leaves has the screen back that was
// there before, and the cursor.
std::string enter_full_screen();
// The whole screen, in one piece: lines cut to the width, as many as there are rows, nothing below them.
std::string full_screen_frame(const std::vector<std::string>& lines, Size size);
std::string leave_full_screen();

// Keys come at once and unseen; Ctrl-C still is a signal. As it was when destroyed.
class UnseenKeys {
  public:
    // Does nothing if `fd` is no terminal.
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
