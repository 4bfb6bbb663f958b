#include "metrics/exposition.hpp"

#include "base/text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace metrics {

namespace {

// Escapes what must be escaped in a label's value and, without the quote, in a help text.
std::string escaped(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (char c : text) {
        if (c == '\n') {
            out += "\\n";
            continue;
        }
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

std::string number(double value) {
    if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
    if (std::isnan(value)) return "NaN";
    std::array<char, 32> digits{};
    auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    return {digits.data(), end};
}

// OpenMetrics wants a fraction in a bucket's bound: "1.0".
std::string bound_text(double bound) {
    std::string text = number(bound);
    if (text.find_first_of(".eI") == std::string::npos) text += ".0";
    return text;
}

std::string_view unit_of(std::string_view name) {
    for (std::string_view unit : {"seconds", "bytes", "usd"})
        if (name.ends_with(base::concat("_", unit))) return unit;
    return {};
}

}  // namespace

std::string_view content_type(Format format) {
    return format == Format::open_metrics ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                                          : "text/plain; version=0.0.4; charset=utf-8";
}

Format accepted_format(std::string_view accept) {
    return accept.find("application/openmetrics-text") != std::string_view::npos ? Format::open_metrics
                                                                                 : Format::prometheus;
}

void Exposition::counter(std::string_view name, std::string_view help) {
    begin(name, "counter", help);
    suffix_ = "_total";
}

void Exposition::gauge(std::string_view name, std::string_view help) {
    begin(name, "gauge", help);
}

void Exposition::histogram(std::string_view name, std::string_view help) {
    begin(name, "histogram", help);
}

// In OpenMetrics the family of a counter has no "_total", in Prometheus' format it has.
void Exposition::begin(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    suffix_.clear();
    bool is_open = format_ == Format::open_metrics;
    std::string family = base::concat(name, type == "counter" && !is_open ? "_total" : "");
    text_ += base::concat("# TYPE ", family, " ", type, "\n");
    if (is_open && !unit_of(name).empty()) text_ += base::concat("# UNIT ", family, " ", unit_of(name), "\n");
    text_ += base::concat("# HELP ", family, " ", escaped(help), "\n");
}

void Exposition::add(const Labels& labels, double value) {
    sample(suffix_, labels, number(value));
}

void Exposition::add(const Labels& labels, std::uint64_t value) {
    sample(suffix_, labels, std::to_string(value));
}

void Exposition::add(const Labels& labels, const Buckets& buckets) {
    for (std::size_t i = 0; i < buckets.bounds.size(); ++i) {
        std::string bound = bound_text(buckets.bounds[i]);
        Labels with_bound = labels;
        with_bound.emplace_back("le", bound);
        sample("_bucket", with_bound, std::to_string(buckets.counts[i]));
    }
    Labels with_bound = labels;
    with_bound.emplace_back("le", "+Inf");
    sample("_bucket", with_bound, std::to_string(buckets.count));
    sample("_sum", labels, number(buckets.sum));
    sample("_count", labels, std::to_string(buckets.count));
}

void Exposition::sample(std::string_view suffix, const Labels& labels, std::string_view value) {
    text_ += base::concat(name_, suffix);
    char separator = '{';
    for (const auto& [name, text] : labels) {
        text_ += separator;
        text_ += base::concat(name, "=\"", escaped(text), "\"");
        separator = ',';
    }
    if (!labels.empty()) text_ += '}';
    text_ += base::concat(" ", value, "\n");
}

std::string Exposition::finish() {
    if (format_ == Format::open_metrics) text_ += "# EOF\n";
    return std::move(text_);
}

}  // namespace metrics
