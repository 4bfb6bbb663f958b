// The file that a command writes: completely or not at all. Blocking.
#pragma once

#include "base/error.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace report {

// Takes the next piece of the file.
using WritePiece = std::function<base::Result<void>(std::string_view)>;

// Lets `fill` write the file at `path`; an existing one is replaced, with its mode and owner, and a new one
// has the mode 0600. After an error the file is as it was. "-" is stdout. errc::invalid_argument if `path`
// cannot be such a file: it is a directory or a device.
base::Result<void> write_report_file(const std::string& path,
                                     const std::function<base::Result<void>(const WritePiece&)>& fill);

}  // namespace report
