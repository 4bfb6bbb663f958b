#include "serve/route.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace serve {

namespace {

using Kind = Route::Kind;

enum class Method { get, post };

// In a pattern, RUN stands for a run's id, and ROW for a row of its trace.
struct Pattern {
    Method method;
    std::string_view path;
    Kind kind;
};

constexpr std::array patterns{
    Pattern{Method::post, "/api/login", Kind::login},
    Pattern{Method::get, "/api/session", Kind::session},
    Pattern{Method::get, "/api/runs", Kind::runs},
    Pattern{Method::get, "/api/runs/RUN", Kind::run},
    Pattern{Method::get, "/api/runs/RUN/trace", Kind::trace},
    Pattern{Method::get, "/api/runs/RUN/tasks/ROW", Kind::task},
    Pattern{Method::get, "/api/runs/RUN/tasks/ROW/output", Kind::output},
    Pattern{Method::get, "/api/runs/RUN/tasks/ROW/why", Kind::why},
    Pattern{Method::get, "/api/runs/RUN/search", Kind::search},
    Pattern{Method::get, "/api/questions", Kind::questions},
    Pattern{Method::get, "/api/pools", Kind::pools},
    Pattern{Method::get, "/api/events", Kind::events},
    Pattern{Method::post, "/api/runs/RUN/pause", Kind::pause},
    Pattern{Method::post, "/api/runs/RUN/continue", Kind::go_on},
    Pattern{Method::post, "/api/runs/RUN/cancel", Kind::cancel},
    Pattern{Method::post, "/api/runs/RUN/scale", Kind::scale},
    Pattern{Method::post, "/api/runs/RUN/retry", Kind::retry},
    Pattern{Method::post, "/api/runs/RUN/answer", Kind::answer},
    Pattern{Method::get, "/metrics", Kind::metrics},
    Pattern{Method::get, "/healthz", Kind::healthz},
    Pattern{Method::get, "/readyz", Kind::readyz},
};

std::string_view take_segment(std::string_view& path) {
    std::size_t end = std::min(path.find('/', 1), path.size());
    std::string_view segment = path.substr(std::min<std::size_t>(1, path.size()), end - 1);
    path.remove_prefix(end);
    return segment;
}

bool is_run_id(std::string_view text) {
    auto is_allowed = [](unsigned char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
               c == '_' || c == '.';
    };
    constexpr std::size_t longest = 128;
    return !text.empty() && text.size() <= longest && text.front() != '.' &&
           std::ranges::all_of(text, is_allowed);
}

bool is_row(std::string_view text, std::uint32_t& row) {
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), row);
    return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

std::optional<Route> match(const Pattern& pattern, std::string_view path) {
    Route route{pattern.kind};
    std::string_view rest = pattern.path;
    while (!rest.empty() && !path.empty()) {
        std::string_view wanted = take_segment(rest);
        std::string_view segment = take_segment(path);
        if (wanted == "RUN") {
            if (!is_run_id(segment)) return std::nullopt;
            route.run = segment;
        } else if (wanted == "ROW") {
            if (!is_row(segment, route.row)) return std::nullopt;
        } else if (wanted != segment) {
            return std::nullopt;
        }
    }
    if (!rest.empty() || !path.empty()) return std::nullopt;
    return route;
}

bool fits(Method wanted, std::string_view method) {
    return wanted == Method::post ? method == "POST" : method == "GET" || method == "HEAD";
}

}  // namespace

std::variant<Route, NoRoute> route_of(std::string_view method, std::string_view path) {
    for (const Pattern& pattern : patterns) {
        auto route = match(pattern, path);
        if (!route) continue;
        if (fits(pattern.method, method)) return *route;
        return NoRoute{pattern.method == Method::post ? "POST" : "GET, HEAD"};
    }
    return NoRoute{};
}

bool is_change(Kind kind) {
    return std::ranges::any_of(patterns, [kind](const Pattern& pattern) {
        return pattern.kind == kind && pattern.method == Method::post;
    });
}

bool is_public(Kind kind) {
    return kind == Kind::login || kind == Kind::healthz || kind == Kind::readyz;
}

}  // namespace serve
