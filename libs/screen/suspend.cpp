#include "screen/suspend.hpp"

#include <csignal>

namespace screen {

// A signal that is removed has its default action again.
void suspend_process(boost::asio::signal_set& signals) {
    signals.remove(SIGTSTP);
    ::raise(SIGTSTP);
    signals.add(SIGTSTP);
}

}  // namespace screen
