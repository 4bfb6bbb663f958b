// Sends file descriptors between two processes over a pair of sockets.
#pragma once

#include "base/error.hpp"
#include "io/unique_fd.hpp"

#include <optional>

namespace io {

// Both ends are close-on-exec.
struct FdChannel {
    UniqueFd sender;
    UniqueFd receiver;
};
base::Result<FdChannel> make_fd_channel();

// Sends a duplicate of `fd`, or a message without a descriptor for -1. Never blocks. False if the message was
// lost, because the buffer is full or there is no receiver.
bool send_fd(int sender, int fd);

// Waits for the next message. Empty when all senders are closed. An empty UniqueFd if the message has no
// descriptor, or if this process has no free descriptor for it.
std::optional<UniqueFd> receive_fd(int receiver);

}  // namespace io
