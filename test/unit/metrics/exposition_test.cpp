#include "metrics/exposition.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <limits>

using metrics::Exposition;
using metrics::Format;

namespace {

constexpr std::array bounds{0.5, 2.0};
constexpr std::array<std::uint64_t, 2> counts{3, 4};

std::string example(Format format) {
    Exposition out(format);
    out.counter("x_tasks", "Tasks.");
    out.add({{"pool", "a"}, {"outcome", "done"}}, std::uint64_t{12});
    out.add({{"pool", "b"}, {"outcome", "done"}}, std::uint64_t{0});
    out.gauge("x_age_seconds", "How old.");
    out.add({}, 0.25);
    out.histogram("x_wait_seconds", "How long.");
    out.add({{"pool", "a"}}, metrics::Buckets{bounds, counts, 5, 7.5});
    return out.finish();
}

std::string only_sample(const metrics::Labels& labels, double value) {
    Exposition out(Format::prometheus);
    out.gauge("x", "X.");
    out.add(labels, value);
    std::string text = out.finish();
    return text.substr(text.find("\nx") + 1);
}

}  // namespace

TEST_CASE("families are written as OpenMetrics") {
    CHECK(example(Format::open_metrics) == R"(# TYPE x_tasks counter
# HELP x_tasks Tasks.
x_tasks_total{pool="a",outcome="done"} 12
x_tasks_total{pool="b",outcome="done"} 0
# TYPE x_age_seconds gauge
# UNIT x_age_seconds seconds
# HELP x_age_seconds How old.
x_age_seconds 0.25
# TYPE x_wait_seconds histogram
# UNIT x_wait_seconds seconds
# HELP x_wait_seconds How long.
x_wait_seconds_bucket{pool="a",le="0.5"} 3
x_wait_seconds_bucket{pool="a",le="2.0"} 4
x_wait_seconds_bucket{pool="a",le="+Inf"} 5
x_wait_seconds_sum{pool="a"} 7.5
x_wait_seconds_count{pool="a"} 5
# EOF
)");
}

TEST_CASE("in Prometheus' own format a counter's family has its suffix, and there are no units and no end") {
    std::string text = example(Format::prometheus);
    CHECK(text.starts_with("# TYPE x_tasks_total counter\n# HELP x_tasks_total Tasks.\nx_tasks_total{"));
    CHECK(text.find("# UNIT") == std::string::npos);
    CHECK(text.find("# EOF") == std::string::npos);
    CHECK(text.ends_with("x_wait_seconds_count{pool=\"a\"} 5\n"));
}

TEST_CASE("values of labels are escaped") {
    CHECK(only_sample({{"a", "say \"hi\"\\\n{}"}}, 1) == "x{a=\"say \\\"hi\\\"\\\\\\n{}\"} 1\n");
}

TEST_CASE("numbers are written so that they are read as they were") {
    CHECK(only_sample({}, 0.1) == "x 0.1\n");
    CHECK(only_sample({}, 1795497599.861) == "x 1795497599.861\n");
    CHECK(only_sample({}, 1e300) == "x 1e+300\n");
    CHECK(only_sample({}, std::numeric_limits<double>::infinity()) == "x +Inf\n");
    CHECK(only_sample({}, -std::numeric_limits<double>::infinity()) == "x -Inf\n");
    CHECK(only_sample({}, std::numeric_limits<double>::quiet_NaN()) == "x NaN\n");
}

TEST_CASE("a scraper gets OpenMetrics if it asks for that") {
    CHECK(metrics::accepted_format("") == Format::prometheus);
    CHECK(metrics::accepted_format("*/*") == Format::prometheus);
    CHECK(metrics::accepted_format("application/openmetrics-text;version=1.0.0,text/plain;q=0.5") ==
          Format::open_metrics);
    CHECK(metrics::content_type(Format::prometheus) == "text/plain; version=0.0.4; charset=utf-8");
}
