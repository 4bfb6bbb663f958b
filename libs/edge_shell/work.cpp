#include "edge_shell/work.hpp"

#include "pool_protocol/messages.hpp"

#include <utility>

namespace edge_shell {

std::string to_body(const Work& work) {
    pool_protocol::Request request(std::nullopt, pool_protocol::Inline{work.content});
    request.wants_failures = work.wants_failures;
    request.wants_activity = work.wants_activity;
    request.labels = work.queue.labels;
    request.priority = work.queue.priority;
    request.response_schema = work.schema;
    return to_json(request);
}

base::Result<Work> parse_body(std::string_view body) {
    std::optional<std::string> id;
    auto request = pool_protocol::parse_request(body, id);
    if (request.has_error()) return request.error();
    auto* payload = std::get_if<pool_protocol::Inline>(&request->payload);
    if (payload == nullptr) return base::invalid("it names a file, which is on another host");
    return Work{std::move(payload->content),
                std::move(request->response_schema),
                request->wants_failures,
                request->wants_activity,
                {request->labels, request->priority}};
}

std::optional<edge::Duration> timeout_of(const Work& work) {
    return pool_protocol::content_timeout(work.content);
}

}  // namespace edge_shell
