#include "serve_shell/run.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "serve/query.hpp"
#include "serve_shell/http_status.hpp"
#include "serve_shell/reply.hpp"
#include "trace/run_json.hpp"
#include "trace/task_json.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace serve_shell {

namespace asio = boost::asio;

namespace {

// Rows and ends of attempts in one piece of a response: about 3 MB.
constexpr std::uint32_t most_in_piece = 100'000;

http::Response no_row(trace::Row row) {
    return error_reply(not_found, base::concat("The run has no row ", row, "."));
}

struct Part {
    trace::Position from, to;
};

asio::awaitable<void> send_trace(std::shared_ptr<Follower> follower, Part part, http::ResponseStream& out) {
    auto generation = follower->generation();
    while (part.from != part.to && generation == follower->generation()) {
        std::string batch;
        part.from = follower->trace().append_batch(batch, part.from, most_in_piece, part.to);
        co_await out.write(std::move(batch));
    }
}

}  // namespace

http::Response runs_response(ServeContext& context) {
    auto list = context.runs.now();
    if (!list) return error_reply(list.error());
    std::string runs;
    for (const ServedRuns::Run* run : (*list)->all())
        runs += (runs.empty() ? "" : ",") + run->json;
    return json_reply(base::concat("{\"runs\":[", runs, "]}"));
}

asio::awaitable<http::Response> run_response(ServeContext& context, serve::Route route) {
    auto opened = co_await open_run(context, route.run);
    if (!opened) co_return error_reply(opened.error());
    std::string json =
        trace::run_json(opened->follower->trace(), opened->json, runs::is_living(opened->state));
    const auto& problem = opened->follower->problem();
    json.pop_back();
    json += base::concat(",\"problem\":", problem ? json::quote(problem->message) : "null", "}");
    co_return json_reply(std::move(json));
}

asio::awaitable<http::Response> trace_response(ServeContext& context, serve::Route route,
                                               const http::Request& request) {
    auto from = trace::parse_position(serve::parameter(request.target, "from").value_or("0.0"));
    if (!from)
        co_return error_reply(bad_request,
                              "`from` must be a position, two numbers with a point between them.");
    auto opened = co_await open_run(context, route.run);
    if (!opened) co_return error_reply(opened.error());
    auto follower = opened->follower;
    if (!follower->trace().contains(*from))
        co_return error_reply(conflict, "The position is not in the log of this run; begin at 0.0.");
    Part part{*from, follower->trace().position()};
    http::Response response;
    response.content_type = "application/octet-stream";
    response.fields.emplace_back("X-Position", to_string(part.to));
    response.stream = [follower, part](http::ResponseStream& out) { return send_trace(follower, part, out); };
    co_return response;
}

asio::awaitable<http::Response> task_response(ServeContext& context, serve::Route route) {
    auto opened = co_await open_run(context, route.run);
    if (!opened) co_return error_reply(opened.error());
    const Follower& follower = *opened->follower;
    if (route.row >= follower.trace().position().rows) co_return no_row(route.row);
    trace::TaskJsonOptions options;
    options.state = co_await reported_state(*opened, route.row);
    // Meanwhile the log may have been replaced, or removed.
    if (route.row >= follower.trace().position().rows) co_return no_row(route.row);
    auto read_line = [&follower](std::uint64_t offset) { return follower.line_at(offset); };
    auto json = trace::task_json(follower.trace(), read_line, route.row, options);
    if (!json) co_return error_reply(json.error());
    co_return json_reply(std::move(*json));
}

asio::awaitable<http::Response> why_response(ServeContext& context, serve::Route route) {
    auto opened = co_await open_run(context, route.run);
    if (!opened) co_return error_reply(opened.error());
    const trace::Trace& trace = opened->follower->trace();
    if (route.row >= trace.position().rows) co_return no_row(route.row);
    std::vector<std::string> arguments{"why", opened->follower->found().path,
                                       std::to_string(trace.attempt(route.row).id)};
    auto text = co_await context.explanations.run(std::move(arguments));
    if (!text) co_return error_reply(text.error());
    co_return json_reply(base::concat("{\"text\":", json::quote(*text), "}"));
}

}  // namespace serve_shell
