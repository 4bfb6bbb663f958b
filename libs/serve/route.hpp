// Which of the things that `barnum serve` answers a request asks for (docs/serve.md, "For programs"). Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace serve {

struct Route {
    enum class Kind {
        login,
        session,
        runs,
        run,
        trace,
        task,
        output,
        why,
        search,
        questions,
        pools,
        events,
        pause,
        go_on,
        cancel,
        scale,
        retry,
        answer,
        metrics,
        healthz,
        readyz,
    };
    Kind kind = Kind::runs;
    std::string run = {};   // the id, if it is about one: letters, digits, '-', '_' and '.', not at the start
    std::uint32_t row = 0;  // of a task, if it is about one

    friend bool operator==(const Route&, const Route&) = default;
};

struct NoRoute {
    std::string_view allowed;  // the methods, if the path exists: "GET, HEAD"; otherwise ""

    friend bool operator==(const NoRoute&, const NoRoute&) = default;
};

// `path` is the target without the query. A HEAD request has the route of GET.
std::variant<Route, NoRoute> route_of(std::string_view method, std::string_view path);

// Whether the request changes something.
bool is_change(Route::Kind kind);
// Whether it is answered to everyone.
bool is_public(Route::Kind kind);

}  // namespace serve
