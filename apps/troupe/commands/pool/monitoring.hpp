// What `troupe start --metrics` answers over HTTP: /metrics, /healthz and /readyz (docs/metrics.md).
#pragma once

#include "http/message.hpp"
#include "pool_protocol/status.hpp"

#include <functional>

namespace troupe {

// Pure, but for `status`, which is called for requests that need it.
http::Response monitoring_response(const http::Request& request,
                                   const std::function<pool_protocol::Status()>& status);

}  // namespace troupe
