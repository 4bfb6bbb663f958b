#include "serve_shell/server.hpp"

#include "base/text.hpp"
#include "io/host_name.hpp"
#include "json/json.hpp"
#include "runs/user_name.hpp"
#include "serve_shell/actions.hpp"
#include "serve_shell/events.hpp"
#include "serve_shell/http_status.hpp"
#include "serve_shell/metrics.hpp"
#include "serve_shell/output.hpp"
#include "serve_shell/questions.hpp"
#include "serve_shell/reply.hpp"
#include "serve_shell/run.hpp"
#include "serve_shell/search.hpp"
#include "version/program_version.hpp"
#include "web/assets.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <utility>
#include <variant>

namespace serve_shell {

namespace asio = boost::asio;
using serve::NoRoute;
using serve::Route;

namespace {

constexpr unsigned no_content = 204;

// Streams of pages count as connections, too. A person's answer may be long.
constexpr http::Limits limits() {
    http::Limits limits;
    limits.connections = 512;
    limits.body_bytes = std::size_t{1} << 20;
    return limits;
}

// A fresh login or a new version of the program counts at once.
http::Response finished(http::Response response) {
    for (const auto& field : web::security_fields())
        response.fields.push_back(field);
    response.fields.emplace_back("Cache-Control", "no-store");
    return response;
}

bool accepts_gzip(const http::Request& request) {
    return request.field("Accept-Encoding").find("gzip") != std::string_view::npos;
}

http::Response asset_response(const web::Asset& asset, const http::Request& request) {
    http::Response response;
    response.content_type = asset.content_type;
    response.fields.emplace_back("Vary", "Accept-Encoding");
    bool is_compressed = accepts_gzip(request);
    response.constant_body = is_compressed ? asset.gzip : asset.text;
    if (is_compressed) response.fields.emplace_back("Content-Encoding", "gzip");
    return response;
}

http::Response session_response() {
    return json_reply(base::concat("{\"user\":", json::quote(runs::user_name()),
                                   ",\"host\":", json::quote(io::host_name()),
                                   ",\"version\":", json::quote(version::program_version), "}"));
}

}  // namespace

PageServer::PageServer(const asio::any_io_executor& executor, ServeSettings settings)
    : settings_(std::move(settings)),
      context_(executor, settings_.root),
      server_(
          executor, limits(), [this](const http::Request& request) { return respond(request); },
          settings_.transport) {}

base::Result<http::Address> PageServer::listen() {
    auto bound = server_.listen(settings_.address);
    if (!bound) return bound;
    std::vector<std::string> names = settings_.names;
    bool is_reached_by_name = !bound->address().is_loopback();
    if (std::string name = io::host_name(); is_reached_by_name && !name.empty()) names.push_back(name);
    access_.emplace(web::AccessToken(settings_.token, bound->port()),
                    web::Site{*bound, settings_.has_tls, std::move(names)});
    context_.tasks.spawn("watching the runs", context_.runs.run());
    context_.tasks.spawn("watching the pools", context_.pools.run());
    return bound;
}

asio::awaitable<void> PageServer::stop() {
    co_await server_.stop();
    context_.tasks.cancel();
    co_await context_.tasks.join();
    co_await context_.followers.stop();
}

asio::awaitable<http::Response> PageServer::respond(const http::Request& request) {
    co_return finished(co_await answer(request));
}

asio::awaitable<http::Response> PageServer::answer(const http::Request& request) {
    auto routed = serve::route_of(request.method, request.path());
    const auto* route = std::get_if<Route>(&routed);
    bool is_public = route == nullptr || serve::is_public(route->kind);
    web::Needs needs{!is_public, route != nullptr && serve::is_change(route->kind)};
    if (auto refusal = access_->refusal(request, needs)) co_return co_await refuse(*refusal);
    if (route != nullptr) co_return co_await answer_on(*route, request);
    const auto* asset = web::find_asset(request.path());
    if (asset != nullptr && (request.method == "GET" || request.method == "HEAD"))
        co_return asset_response(*asset, request);
    std::string_view allowed = asset != nullptr ? "GET, HEAD" : std::get<NoRoute>(routed).allowed;
    if (!allowed.empty()) co_return http::method_not_allowed(allowed);
    co_return error_reply(not_found, "There is nothing at this path. docs/serve.md describes what there is.");
}

asio::awaitable<http::Response> PageServer::refuse(web::Refusal refusal) {
    if (refusal.is_of_wrong_token) {
        asio::steady_timer timer(context_.executor, web::wrong_token_pause);
        co_await timer.async_wait(asio::use_awaitable);
    }
    co_return error_reply(refusal.status, refusal.sentence);
}

asio::awaitable<http::Response> PageServer::login(const http::Request& request) {
    auto body = json::checked(request.body);
    auto token = body ? body->find("token") : std::nullopt;
    if (!token || !token->is(json::Kind::string))
        co_return error_reply(bad_request, R"(The body must be {"token": "…"}.)");
    if (auto refusal = access_->login_refusal(token->string())) co_return co_await refuse(*refusal);
    http::Response response;
    response.status = no_content;
    response.fields.emplace_back("Set-Cookie", access_->set_cookie());
    co_return response;
}

asio::awaitable<http::Response> PageServer::answer_on(Route route, const http::Request& request) {
    switch (route.kind) {
        case Route::Kind::login:
            co_return co_await login(request);
        case Route::Kind::session:
            co_return session_response();
        case Route::Kind::runs:
            co_return runs_response(context_);
        case Route::Kind::run:
            co_return co_await run_response(context_, route);
        case Route::Kind::trace:
            co_return co_await trace_response(context_, route, request);
        case Route::Kind::task:
            co_return co_await task_response(context_, route);
        case Route::Kind::events:
            co_return co_await events_response(context_, request);
        case Route::Kind::healthz:
        case Route::Kind::readyz:
            break;
        case Route::Kind::pause:
        case Route::Kind::go_on:
        case Route::Kind::cancel:
        case Route::Kind::scale:
        case Route::Kind::retry:
        case Route::Kind::answer:
            co_return co_await action_response(context_, route, request);
        case Route::Kind::output:
            co_return co_await output_response(context_, route);
        case Route::Kind::why:
            co_return co_await why_response(context_, route);
        case Route::Kind::search:
            co_return co_await search_response(context_, route, request);
        case Route::Kind::questions:
            co_return co_await questions_response(context_);
        case Route::Kind::pools:
            co_return co_await pools_response(context_);
        case Route::Kind::metrics:
            co_return co_await metrics_response(context_, request);
    }
    co_return http::text_response(200, "ok");
}

}  // namespace serve_shell
