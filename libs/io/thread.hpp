// Threads that get no signals: these are handled in the event loop only.
#pragma once

#include <functional>
#include <thread>

namespace io {

// Throws std::system_error if there can be no more threads.
std::thread thread_without_signals(const std::function<void()>& body);

}  // namespace io
