// Stopping the process as the terminal's suspend key (Ctrl-Z) asks, once the program has put the screen in
// order.
#pragma once

#include <boost/asio/signal_set.hpp>

namespace screen {

// To be called when `signals` has told of SIGTSTP. Stops the process as that signal does without a handler:
// not at all if no shell could continue it. Returns once it has been continued.
void suspend_process(boost::asio::signal_set& signals);

}  // namespace screen
