#include "io/signals.hpp"

#include <csignal>

namespace io {

void ignore_unwanted_signals() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGIO, SIG_IGN);
}

}  // namespace io
