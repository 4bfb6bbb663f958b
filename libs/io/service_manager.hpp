// What systemd is told and what it hands over, by its documented protocols: sd_notify(3)'s datagrams, socket
// activation's descriptors, the watchdog. Where there is no systemd, all of it does nothing.
#pragma once

#include "io/unique_fd.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace io {

class ServiceManager {
  public:
    // Reads NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID, LISTEN_FDS and LISTEN_PID, and takes them out of the
    // environment: what this process starts is not spoken to. Once, before anything opens descriptors.
    static ServiceManager from_environment();

    void ready() const { notify("READY=1"); }
    void stopping() const { notify("STOPPING=1"); }
    void alive() const { notify("WATCHDOG=1"); }
    // One line for `systemctl status`.
    void status(std::string_view text) const;

    // How long it may take from one alive() to the next before we are killed; none: it isn't watched.
    std::optional<std::chrono::microseconds> watchdog() const { return watchdog_; }

    // The listening unix socket that was opened for us, if there is exactly one; close-on-exec, non-blocking.
    // Once.
    UniqueFd take_socket() { return std::move(socket_); }

  private:
    void notify(std::string_view message) const;

    std::string notify_address_;  // as in NOTIFY_SOCKET; empty: nobody listens
    std::optional<std::chrono::microseconds> watchdog_;
    UniqueFd socket_;
};

}  // namespace io
