// What a NATS server sends, taken apart. The bytes may arrive in pieces of any size. Does not know what the
// operations mean. Pure.
#pragma once

#include "base/error.hpp"
#include "nats/message.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace nats {

struct Info {
    std::string json;  // not checked
};
struct Ping {};
struct Pong {};
struct Ok {};
// -ERR
struct Complaint {
    std::string text;  // without its quotes
};
using Operation = std::variant<Info, Message, Ping, Pong, Ok, Complaint>;

class Parser {
  public:
    // The limits are in bytes. The buffer grows with what has arrived, never with a size that is announced.
    struct Limits {
        std::size_t line = 64 << 10;      // one line, as of INFO
        std::size_t message = 1UL << 20;  // headers and payload of one message
    };

    Parser() = default;
    explicit Parser(Limits limits) : limits_(limits) {}

    void append(std::string_view bytes);

    // The next complete operation; empty if more bytes are needed; Errc::protocol if what has arrived is no
    // operation, or exceeds a limit. After an error the parser must not be used any more.
    base::Result<std::optional<Operation>> next();

    // Applies to messages whose size is read from now on.
    void set_longest_message(std::size_t bytes) { limits_.message = bytes; }

    // Whether all that has arrived was taken.
    bool is_empty() const { return begin_ == buffer_.size() && !begun_; }
    std::size_t buffered() const { return buffer_.size() - begin_; }

  private:
    // A message whose first line was taken.
    struct Begun {
        Message message;
        std::size_t headers;  // in bytes
        std::size_t total;    // headers and payload
    };

    base::Result<std::optional<std::string_view>> take_line();
    base::Result<std::optional<Operation>> of_line(std::string_view line);
    base::Result<void> begin_message(std::string_view line, bool has_headers);
    base::Result<std::optional<Operation>> finish_message();
    std::string_view rest() const { return std::string_view(buffer_).substr(begin_); }

    Limits limits_;
    std::string buffer_;
    std::size_t begin_ = 0;     // of what was not taken yet
    std::size_t searched_ = 0;  // of it, so much has no line feed
    std::optional<Begun> begun_;
};

}  // namespace nats
