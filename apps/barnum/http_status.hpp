// Status codes of HTTP that the server of the page answers with.
#pragma once

namespace barnum {

constexpr unsigned bad_request = 400;
constexpr unsigned not_found = 404;
constexpr unsigned conflict = 409;

}  // namespace barnum
