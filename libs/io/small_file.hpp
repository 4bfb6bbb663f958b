// Reads small files that users name for a program: certificates, keys, passwords. Blocking.
#pragma once

#include "base/error.hpp"

#include <string>

namespace io {

// Reads at most 1 MiB, of a regular file. `name` is what the errors call it: "the certificate /etc/x.pem".
base::Result<std::string> read_small_file(const std::string& path, const std::string& name);

// As read_small_file(), for a secret: the file belongs to this user or root, and not every user may read it.
// The error says what to do. The caller overwrites the text when it needs it no more.
base::Result<std::string> read_secret_file(const std::string& path, const std::string& name);

}  // namespace io
