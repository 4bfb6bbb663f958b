// Times in the protocol's messages.
#pragma once

#include <chrono>

namespace pool_protocol {

using UnixTime = std::chrono::milliseconds;  // since the epoch

}  // namespace pool_protocol
