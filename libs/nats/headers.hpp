// The headers of messages. A block is "NATS/1.0", perhaps a status, and lines "Name: value", each with CR LF;
// the last line is empty. Blocks that others have written may be of any content: what is not as described is
// passed over. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nats {

// Builds a block.
class Headers {
  public:
    // A name with a character that ends it, or a line feed in either, is a bug of the caller: it throws
    // std::invalid_argument.
    Headers& add(std::string_view name, std::string_view value);

    // Empty if nothing was added.
    std::string block() const;

  private:
    std::string lines_;
};

// The value of the first header of that name, in which case matters. A view of the block.
std::optional<std::string_view> header(std::string_view block, std::string_view name);

// What the server says with a message instead of a payload, for example 503: nobody has subscribed to the
// subject of a request.
struct Status {
    int code;
    std::string_view description;  // a view of the block; may be empty
};
std::optional<Status> status(std::string_view block);

}  // namespace nats
