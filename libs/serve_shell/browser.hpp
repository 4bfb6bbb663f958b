// Opens the page in the user's browser.
#pragma once

#include <boost/asio/awaitable.hpp>

#include <string>

namespace serve_shell {

// Opens the address with $BROWSER, or xdg-open. The address contains the token, and other users can read the
// arguments of processes: so the browser is given a file of `directory`, which only this user can read and
// which leads to the address. A failure is logged. Returns when the command has ended.
boost::asio::awaitable<void> open_browser(std::string url, std::string directory);

}  // namespace serve_shell
