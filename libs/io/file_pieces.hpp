// Reads a file of any size without having it in memory. Blocking.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <functional>
#include <string_view>

namespace io {

// Hands the first `most` bytes of `fd`, a regular file, or all there are, to `take`, in order and in pieces
// of at most a mebibyte. Returns how many they were, or the first error: that of a read, without the file's
// name, or that of `take`, as it is.
base::Result<std::uint64_t> read_pieces(int fd, std::uint64_t most,
                                        const std::function<base::Result<void>(std::string_view)>& take);

}  // namespace io
