#include "serve/route.hpp"

#include "serve/query.hpp"

#include <catch2/catch.hpp>

using serve::NoRoute;
using serve::Route;
using serve::route_of;
using Kind = Route::Kind;

namespace {

constexpr auto id = "7d1c0a8e-0000-4000-8000-000000000001";

Route found(std::string_view method, const std::string& path) {
    auto route = route_of(method, path);
    REQUIRE(std::holds_alternative<Route>(route));
    return std::get<Route>(route);
}

bool is_none(std::string_view method, const std::string& path, std::string_view allowed = "") {
    auto route = route_of(method, path);
    return route == std::variant<Route, NoRoute>(NoRoute{allowed});
}

}  // namespace

TEST_CASE("a request has the route of its method and path") {
    CHECK(found("GET", "/api/runs") == Route{Kind::runs});
    CHECK(found("HEAD", "/healthz") == Route{Kind::healthz});
    CHECK(found("GET", std::string("/api/runs/") + id) == Route{Kind::run, id});
    CHECK(found("GET", std::string("/api/runs/") + id + "/trace") == Route{Kind::trace, id});
    CHECK(found("GET", std::string("/api/runs/") + id + "/tasks/4294967295") ==
          Route{Kind::task, id, 4294967295});
    CHECK(found("GET", std::string("/api/runs/") + id + "/tasks/0/output") == Route{Kind::output, id, 0});
    CHECK(found("POST", std::string("/api/runs/") + id + "/continue") == Route{Kind::go_on, id});
}

TEST_CASE("another method of a path is told which are allowed") {
    CHECK(is_none("POST", "/api/runs", "GET, HEAD"));
    CHECK(is_none("GET", "/api/login", "POST"));
    CHECK(is_none("GET", "/api/runs/a/pause", "POST"));
    CHECK(is_none("DELETE", "/api/runs/a", "GET, HEAD"));
    CHECK(is_none("get", "/metrics", "GET, HEAD"));
}

TEST_CASE("what is no path of the interface has no route") {
    for (const char* path : {"",
                             "/",
                             "//",
                             "/api",
                             "/api/",
                             "/api/runs/",
                             "/api/runs//trace",
                             "/api/runs/../trace",
                             "/api/runs/.hidden",
                             "/api/runs/a%2fb",
                             "/api/runs/a b",
                             "/api/runs/a/tasks/",
                             "/api/runs/a/tasks/-1",
                             "/api/runs/a/tasks/4294967296",
                             "/api/runs/a/tasks/1x",
                             "/api/runs/a/tasks/1/",
                             "/api/runs/a/trace/",
                             "/metrics/",
                             "api/runs",
                             "/API/runs"})
        CHECK(is_none("GET", path));
    CHECK(is_none("GET", "/api/runs/" + std::string(129, 'a')));
}

TEST_CASE("requests that change something are known as such") {
    CHECK(serve::is_change(Kind::retry));
    CHECK(serve::is_change(Kind::login));
    CHECK_FALSE(serve::is_change(Kind::run));
    CHECK_FALSE(serve::is_change(Kind::metrics));
    CHECK(serve::is_public(Kind::login));
    CHECK(serve::is_public(Kind::readyz));
    CHECK_FALSE(serve::is_public(Kind::metrics));
    CHECK_FALSE(serve::is_public(Kind::session));
}

TEST_CASE("parameters of a query are decoded") {
    using serve::parameter;
    CHECK(parameter("/a?text=a%20b+c&from=1.2", "text") == "a b c");
    CHECK(parameter("/a?text=a%20b+c&from=1.2", "from") == "1.2");
    CHECK(parameter("/a?x&y=", "x") == "");
    CHECK(parameter("/a?x&y=", "y") == "");
    CHECK(parameter("/a?x=1&x=2", "x") == "1");
    CHECK(parameter("/a?t%65xt=%C3%A9", "text") == "é");
    CHECK(parameter("/a?x=%2", "x") == "%2");
    CHECK(parameter("/a?x=%zz%", "x") == "%zz%");
    CHECK(parameter("/a?x=1?y=2", "x") == "1?y=2");
    CHECK_FALSE(parameter("/a", "x"));
    CHECK_FALSE(parameter("/a?", "x"));
    CHECK_FALSE(parameter("/x=1", "x"));
}
