// A closed loop of requests: how many are under way, when each began and ended, and whether its answer was
// its own. Who sends them, and how, is up to the two that are made of it.
#pragma once

#include "load_files.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace load {

struct Sample {
    Clock::time_point begun;  // before connecting, or before the request's file
    Clock::time_point ended;  // the whole answer was read
};

class Requests {
  public:
    Requests() { samples_.reserve(1 << 20); }
    virtual ~Requests() = default;
    Requests(const Requests&) = delete;
    Requests& operator=(const Requests&) = delete;

    virtual void start() = 0;
    // No new requests from now on; in_flight() falls to 0. A daemon that dies has the same effect.
    void finish() { finishing_ = true; }
    std::size_t in_flight() const { return in_flight_; }
    // How many there were in all, those of the warm-up too.
    std::uint64_t sent() const { return next_number_ - 1; }

    // Requests whose connection the daemon closed, or refused, without an answer. Their submitters have given
    // up.
    std::size_t lost() const { return lost_; }
    const std::vector<Sample>& samples() const { return samples_; }
    // Answers that were not the agent's answer to the request.
    std::size_t wrong_answers() const { return wrong_answers_; }
    const std::string& first_wrong_answer() const { return first_wrong_answer_; }

  protected:
    // The number that the request carries, and its answer must have.
    std::uint64_t begin() {
        ++in_flight_;
        return next_number_++;
    }
    void end(std::uint64_t number, Clock::time_point begun, std::string_view answer);
    void lose() {
        ++lost_;
        --in_flight_;
    }
    bool finishing() const { return finishing_; }

    // {"kind":"Inline",…} with a task of that number; `id` may be empty.
    static std::string request(std::uint64_t number, const std::string& id);

  private:
    bool finishing_ = false;
    std::size_t in_flight_ = 0;
    std::size_t lost_ = 0;
    std::uint64_t next_number_ = 1;
    std::vector<Sample> samples_;
    std::size_t wrong_answers_ = 0;
    std::string first_wrong_answer_;
};

}  // namespace load
