#include "commands/pool/monitoring.hpp"

#include "http/address.hpp"
#include "metrics/exposition.hpp"
#include "pool_view/pool_metrics.hpp"

namespace troupe {

namespace {

http::Response metrics_response(const http::Request& request, const pool_protocol::Status& status) {
    metrics::Format format = metrics::accepted_format(request.field("Accept"));
    metrics::Exposition exposition(format);
    pool_view::add_pool_metrics(exposition, {&status, 1});
    http::Response response;
    response.content_type = metrics::content_type(format);
    response.body = exposition.finish();
    return response;
}

}  // namespace

http::Response monitoring_response(const http::Request& request,
                                   const std::function<pool_protocol::Status()>& status) {
    if (!http::is_own_host(request.field("Host")))
        return http::text_response(
            403, "The field Host must be an IP address or localhost: request this by the address itself.");
    if (request.method != "GET" && request.method != "HEAD") return http::method_not_allowed("GET, HEAD");
    if (request.path() == "/healthz") return http::text_response(200, "ok");
    if (request.path() == "/readyz") {
        bool is_draining = status().draining;
        return is_draining ? http::text_response(503, "draining") : http::text_response(200, "ok");
    }
    if (request.path() == "/metrics") return metrics_response(request, status());
    return http::text_response(404, "Not found. There are /metrics, /healthz and /readyz.");
}

}  // namespace troupe
