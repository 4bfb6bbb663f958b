// Submitters in a closed loop over the pool's socket: each has one request in flight, and sends the next as
// soon as the answer has come. By default a connection a request, as published clients do; or one kept, with
// an id a request.
#pragma once

#include "load_files.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace load {

struct Sample {
    Clock::time_point begun;  // before connecting
    Clock::time_point ended;  // the whole answer was read
};

class Submitters {
  public:
    // `epoll` gets the sockets, with the submitter's index as data.u64.
    Submitters(const std::string& pool_directory, std::size_t count, bool keep_connection, int epoll);
    ~Submitters();
    Submitters(const Submitters&) = delete;
    Submitters& operator=(const Submitters&) = delete;

    void start();
    // No new requests from now on; in_flight() falls to 0. A daemon that dies has the same effect.
    void finish() { finishing_ = true; }
    std::size_t in_flight() const { return in_flight_; }

    void on_readable(std::size_t index);
    // Connects those that the daemon's backlog had no room for.
    void connect_refused();
    bool any_refused() const { return !refused_.empty(); }

    // Requests whose connection the daemon closed, or refused, without an answer. Their submitters have given
    // up.
    std::size_t lost() const { return lost_; }
    const std::vector<Sample>& samples() const { return samples_; }
    // Answers that were not the agent's answer to the request.
    std::size_t wrong_answers() const { return wrong_answers_; }
    const std::string& first_wrong_answer() const { return first_wrong_answer_; }

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
    void lose(Submitter& submitter);
    void answered(std::size_t index, std::string_view answer);
    void disconnect(Submitter& submitter);

    int directory_;  // of the pool: the socket's path may be too long for its address
    bool keep_connection_;
    int epoll_;
    bool finishing_ = false;
    std::size_t in_flight_ = 0;
    std::size_t lost_ = 0;
    std::uint64_t next_number_ = 1;
    std::vector<Submitter> submitters_;
    std::vector<std::size_t> refused_;
    std::vector<Sample> samples_;
    std::size_t wrong_answers_ = 0;
    std::string first_wrong_answer_;
};

}  // namespace load
