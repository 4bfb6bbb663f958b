// A real nats-server as a child process, on a port of this machine that is its own over restarts.
#pragma once

#include "claimed_port.hpp"
#include "io_helper.hpp"

#include <csignal>
#include <functional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace test {

// Its path; empty if it is missing.
std::string nats_server_program();

class NatsServer {
  public:
    // `config`: lines of its configuration; "%" stands for its own directory, in which `prepare` writes the
    // files that these name. Returns when it listens.
    using Prepare = std::function<void(const TemporaryDirectory&)>;
    explicit NatsServer(std::string config = {}, const Prepare& prepare = {});
    ~NatsServer();
    NatsServer(const NatsServer&) = delete;
    NatsServer& operator=(const NatsServer&) = delete;

    int port() const { return port_.number(); }
    std::string address(std::string_view scheme = "nats") const;
    // For the routes of the other servers of a cluster.
    int cluster_port() const { return cluster_port_; }
    // For files that the configuration names.
    const TemporaryDirectory& directory() const { return directory_; }

    void signal(int number) const;
    // SIGKILL, and waits until it is gone.
    void kill();
    // On the same port, with what it has stored.
    void start();
    std::string log() const { return content(directory_ / "log"); }

  private:
    void read_cluster_port();

    TemporaryDirectory directory_;
    std::string config_;
    pid_t pid_ = -1;
    ClaimedPort port_;
    int cluster_port_ = -1;  // if it has one
};

}  // namespace test
