// Writes metrics as text for a scraper: OpenMetrics 1.0, or the text format 0.0.4 of Prometheus, which older
// scrapers and `promtool check metrics` read. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace metrics {

enum class Format { open_metrics, prometheus };

// The value of the HTTP field Content-Type.
std::string_view content_type(Format format);
// What a scraper's Accept asks for: OpenMetrics if it names that, otherwise Prometheus' format.
Format accepted_format(std::string_view accept);

// Names and values; a value may be any valid UTF-8.
using Labels = std::vector<std::pair<std::string_view, std::string_view>>;

// Durations in buckets. `counts[i]` are those of at most `bounds[i]` seconds, the shorter ones included.
struct Buckets {
    std::span<const double> bounds;  // in seconds, ascending
    std::span<const std::uint64_t> counts;
    std::uint64_t count = 0;
    double sum = 0;  // in seconds
};

// A family is begun by counter(), gauge() or histogram(), and its samples follow: add() once for each set of
// labels. Names have their unit ("_seconds") and not the suffix "_total", which counters get.
class Exposition {
  public:
    explicit Exposition(Format format) : format_(format) {}

    void counter(std::string_view name, std::string_view help);
    void gauge(std::string_view name, std::string_view help);
    void histogram(std::string_view name, std::string_view help);

    void add(const Labels& labels, double value);
    void add(const Labels& labels, std::uint64_t value);
    void add(const Labels& labels, const Buckets& buckets);

    // The complete text. To be called once, after all families.
    std::string finish();

  private:
    void begin(std::string_view name, std::string_view type, std::string_view help);
    void sample(std::string_view suffix, const Labels& labels, std::string_view value);

    Format format_;
    std::string text_;
    std::string name_;    // of the current family
    std::string suffix_;  // of its samples
};

}  // namespace metrics
