// Reads a file of any size in pieces. Blocking.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <functional>
#include <string_view>

namespace io {

// The bytes of a file from `begin` up to, but not including, `end`.
struct ByteRange {
    std::uint64_t begin = 0;
    std::uint64_t end = UINT64_MAX;

    friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

// Passes the range of `fd`, a regular file, or what there is of it if the file is shorter, to `take`, in
// order, in pieces of at most 1 MiB. Returns the number of bytes, or the first error: of a read, without the
// file's name, or of `take`, unchanged.
base::Result<std::uint64_t> read_pieces(int fd, ByteRange range,
                                        const std::function<base::Result<void>(std::string_view)>& take);

}  // namespace io
