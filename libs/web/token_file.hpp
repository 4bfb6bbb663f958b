// The file in which the token of `barnum serve` is kept, so that it stays the same when the server starts
// again. Blocking.
#pragma once

#include "base/error.hpp"

#include <string>

namespace web {

// ${XDG_STATE_HOME:-~/.local/state}/barnum/serve; empty if there is no home directory.
std::string token_directory();

// The token in the file `token` of the directory. If there is none, it is made, with mode 0600, from 256
// random bits; of several servers that do so at the same time, all get the same one. A file that other users
// can read, or that is not a token, is refused.
base::Result<std::string> read_or_make_token(const std::string& directory);

}  // namespace web
