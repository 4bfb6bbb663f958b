#include "pool_protocol/status_counts.hpp"

#include "base/text.hpp"
#include "pool_protocol/fields.hpp"

#include <array>

namespace pool_protocol {

namespace {

struct Count {
    const char* name;
    std::uint64_t StatusCounts::*value;
};

constexpr std::array<Count, 11> all_counts{{{"submitted", &StatusCounts::submitted},
                                            {"recovered", &StatusCounts::recovered},
                                            {"processed", &StatusCounts::processed},
                                            {"timed_out", &StatusCounts::timed_out},
                                            {"stopped", &StatusCounts::stopped},
                                            {"withdrawn", &StatusCounts::withdrawn},
                                            {"invalid", &StatusCounts::invalid},
                                            {"handed_back", &StatusCounts::handed_back},
                                            {"kicked", &StatusCounts::kicked},
                                            {"failed", &StatusCounts::failed},
                                            {"died", &StatusCounts::died}}};

}  // namespace

StatusCounts sum_of(StatusCounts counts, const StatusCounts& others) {
    for (const Count& count : all_counts)
        counts.*count.value += others.*count.value;
    return counts;
}

std::string to_json(const StatusCounts& counts) {
    std::string members;
    for (const Count& count : all_counts)
        members += base::concat(members.empty() ? "" : ",", "\"", count.name, "\":", counts.*count.value);
    return base::concat("{", members, "}");
}

StatusCounts counts_in(json::View object) {
    StatusCounts counts;
    for (const Count& count : all_counts)
        counts.*count.value = count_in(object, count.name);
    return counts;
}

std::string to_json(const TotalCounts& total) {
    return base::concat("{\"since\":", total.since.count(), ",\"counts\":", to_json(total.counts), "}");
}

std::optional<TotalCounts> total_counts_in(json::View object) {
    auto since = time_in(object, "since");
    auto counts = object.find("counts");
    if (!since || !counts || !counts->is(json::Kind::object)) return std::nullopt;
    return TotalCounts{*since, counts_in(*counts)};
}

std::optional<TotalCounts> parse_total_counts(std::string_view text) {
    auto document = json::checked(text);
    return document ? total_counts_in(*document) : std::nullopt;
}

}  // namespace pool_protocol
