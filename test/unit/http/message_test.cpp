#include "http/message.hpp"

#include "http/beast_messages.hpp"

#include <catch2/catch.hpp>

TEST_CASE("a request's path is its target without the query") {
    http::Request request;
    request.target = "/runs?state=failed?x";
    CHECK(request.path() == "/runs");
    request.target = "/runs";
    CHECK(request.path() == "/runs");
    request.target = "?";
    CHECK(request.path().empty());
}

TEST_CASE("a field is found by its name in any case, and the first of several counts") {
    http::Request request;
    request.fields = {{"HOST", "a"}, {"Accept", "b"}, {"host", "c"}};
    CHECK(request.field("Host") == "a");
    CHECK(request.field("accept") == "b");
    CHECK(request.field("Accep").empty());
    CHECK(request.field("").empty());
}

TEST_CASE("a response has what each response has, and what its handler adds") {
    http::Response response = http::method_not_allowed("GET, HEAD");
    auto message = http::to_beast(response, 11, false);
    CHECK(message.result_int() == 405);
    CHECK(message["Allow"] == "GET, HEAD");
    CHECK(message["Content-Length"] == std::to_string(response.body.size()));
    CHECK(message["Cache-Control"] == "no-store");
    CHECK(message["X-Content-Type-Options"] == "nosniff");
    CHECK(message["Connection"] == "close");
    CHECK(message["Date"].ends_with(" GMT"));
}
