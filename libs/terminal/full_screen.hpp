// A program that has the whole terminal: the alternate screen, drawn again in place, and keys that arrive
// when they are pressed and are not shown. Reads no keys and handles no signals itself: who ends on one has
// to destroy these first, or the terminal stays as it is.
#pragma once

#include "terminal/size.hpp"

#include <string>
#include <string_view>
#include <termios.h>
#include <vector>

namespace terminal {

// What FullScreen writes; pure.
std::string enter_full_screen();
// The whole screen, in one piece: lines cut to the width, as many as there are rows, nothing below them.
std::string full_screen_frame(const std::vector<std::string>& lines, Size size);
std::string leave_full_screen();

// Shows the screen that was there before, and the cursor, when destroyed.
class FullScreen {
  public:
    // `fd` is a terminal and stays open.
    explicit FullScreen(int fd);
    ~FullScreen();
    FullScreen(const FullScreen&) = delete;
    FullScreen& operator=(const FullScreen&) = delete;

    // Waits for the terminal to take it. False: nobody is there any more.
    bool show(const std::vector<std::string>& lines);
    Size size() const { return size_of(fd_); }

  private:
    int fd_;
};

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
