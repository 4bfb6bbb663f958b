// A submitter's end of a socket connection: frames out, frames in, never waiting for either.
#pragma once

#include "io/unique_fd.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace model {

class Connection {
  public:
    // Throws sim::Broken if nobody accepts.
    explicit Connection(const std::string& socket_path);

    // The first `size` bytes of the frame now; the others with send_rest().
    void send(std::string_view payload, std::size_t size = std::string::npos);
    void send_rest();
    bool has_rest() const { return !rest_.empty(); }

    // Takes in what has come; false when the other side has closed.
    bool receive();
    std::optional<std::string> next_frame();

    void end_output();
    bool output_ended() const { return output_ended_; }

  private:
    void put(std::string_view bytes);

    io::UniqueFd socket_;
    std::string rest_;
    std::string in_;
    bool output_ended_ = false;
};

}  // namespace model
