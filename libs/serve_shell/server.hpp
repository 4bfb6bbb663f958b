// The HTTP side of `barnum serve`: who may ask, and which answer belongs to which request.
#pragma once

#include "base/error.hpp"
#include "http/server.hpp"
#include "serve/route.hpp"
#include "serve_shell/context.hpp"
#include "web/access.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>
#include <vector>

namespace serve_shell {

struct ServeSettings {
    http::Address address;
    std::string token;
    std::string root;  // of the pools; "": that of the environment
    bool has_tls = false;
    http::Transport transport = http::make_plain_connection;
    std::vector<std::string> names = {};  // of this machine, by the certificate
};

// To be used from the executor's thread only. stop() must have returned before destruction, unless listen()
// failed.
class PageServer {
  public:
    PageServer(const boost::asio::any_io_executor& executor, ServeSettings settings);

    // Begins to serve. The address has the port in use.
    base::Result<http::Address> listen();
    boost::asio::awaitable<void> stop();

  private:
    boost::asio::awaitable<http::Response> respond(const http::Request& request);
    boost::asio::awaitable<http::Response> answer(const http::Request& request);
    boost::asio::awaitable<http::Response> answer_on(serve::Route route, const http::Request& request);
    boost::asio::awaitable<http::Response> refuse(web::Refusal refusal);
    boost::asio::awaitable<http::Response> login(const http::Request& request);

    ServeSettings settings_;
    ServeContext context_;
    std::optional<web::Access> access_;  // once the port is known
    http::Server server_;
};

}  // namespace serve_shell
