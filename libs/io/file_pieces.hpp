// Reads a file of any size in pieces. Blocking.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <functional>
#include <string_view>

namespace io {

// Passes the first `most` bytes of `fd`, a regular file, or the whole file if it is shorter, to `take`, in
// order, in pieces of at most 1 MiB. Returns the number of bytes, or the first error: of a read, without the
// file's name, or of `take`, unchanged.
base::Result<std::uint64_t> read_pieces(int fd, std::uint64_t most,
                                        const std::function<base::Result<void>(std::string_view)>& take);

}  // namespace io
