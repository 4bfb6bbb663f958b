// Status codes of HTTP that the server of the page answers with.
#pragma once

namespace serve_shell {

constexpr unsigned bad_request = 400;
constexpr unsigned not_found = 404;
constexpr unsigned conflict = 409;

}  // namespace serve_shell
