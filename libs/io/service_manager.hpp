// Communication with systemd by its documented protocols: sd_notify(3), socket activation, the watchdog. Does
// nothing if systemd has not started this process.
#pragma once

#include "io/unique_fd.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace io {

class ServiceManager {
  public:
    // Reads NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID, LISTEN_FDS and LISTEN_PID, and removes them from the
    // environment, because they are not meant for child processes. To be called once, before any descriptor
    // is opened.
    static ServiceManager from_environment();

    void ready() const { notify("READY=1"); }
    void stopping() const { notify("STOPPING=1"); }
    void alive() const { notify("WATCHDOG=1"); }
    // Sets the line that `systemctl status` shows.
    void status(std::string_view text) const;

    // The maximum time between two calls of alive(), after which systemd kills this process; empty: there is
    // no watchdog.
    std::optional<std::chrono::microseconds> watchdog() const { return watchdog_; }

    // The listening Unix socket from socket activation, if there is exactly one; close-on-exec, non-blocking.
    // To be called once.
    UniqueFd take_socket() { return std::move(socket_); }

  private:
    void notify(std::string_view message) const;

    std::string notify_address_;  // as in NOTIFY_SOCKET; empty: there is no receiver
    std::optional<std::chrono::microseconds> watchdog_;
    UniqueFd socket_;
};

}  // namespace io
