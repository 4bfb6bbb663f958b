// File descriptors as messages between two processes, over a pair of sockets.
#pragma once

#include "base/error.hpp"
#include "io/unique_fd.hpp"

#include <optional>

namespace io {

// Closed at exec, like all descriptors here.
struct FdChannel {
    UniqueFd sender;
    UniqueFd receiver;
};
base::Result<FdChannel> make_fd_channel();

// Sends a duplicate of `fd`, or a message without one for -1. Never waits: with no room for the message, or
// nobody there to receive it, it is lost, which is false.
bool send_fd(int sender, int fd);

// Waits for the next message. Empty when all senders are closed; an empty UniqueFd when the message came
// without a descriptor, or there is no room for it here.
std::optional<UniqueFd> receive_fd(int receiver);

}  // namespace io
