// Submitters in a closed loop over the pool's socket: each has one request in flight, and sends the next as
// soon as the answer has come. By default a connection a request, as published clients do; or one kept, with
// an id a request.
#pragma once

#include "load_requests.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace load {

class Submitters : public Requests {
  public:
    // `epoll` gets the sockets, with the submitter's index as data.u64.
    Submitters(const std::string& pool_directory, std::size_t count, bool keep_connection, int epoll);
    ~Submitters() override;

    void start() override;
    void on_readable(std::size_t index);
    // Connects those that the daemon's backlog had no room for.
    void connect_refused();
    bool any_refused() const { return !refused_.empty(); }

  private:
    struct Submitter {
        int socket = -1;
        std::uint64_t number = 0;
        Clock::time_point begun;
        std::string received;
    };

    void submit(std::size_t index);
    void try_to_send(std::size_t index);
    bool connect(Submitter& submitter, std::size_t index);
    void send(Submitter& submitter);
    void give_up(Submitter& submitter);
    void answered(std::size_t index, std::string_view answer);
    void disconnect(Submitter& submitter);

    int directory_;  // of the pool: the socket's path may be too long for its address
    bool keep_connection_;
    int epoll_;
    std::vector<Submitter> submitters_;
    std::vector<std::size_t> refused_;
};

}  // namespace load
