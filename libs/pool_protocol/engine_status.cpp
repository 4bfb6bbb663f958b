#include "pool_protocol/engine_status.hpp"

#include "base/text.hpp"
#include "pool_protocol/fields.hpp"

#include <array>

namespace pool_protocol {

namespace {

struct EngineCount {
    std::string_view name;
    std::uint64_t EngineCounts::*count;
};

constexpr std::array engine_counts{EngineCount{"claimed", &EngineCounts::claimed},
                                   EngineCount{"surplus", &EngineCounts::surplus},
                                   EngineCount{"redelivered", &EngineCounts::redelivered},
                                   EngineCount{"released", &EngineCounts::released},
                                   EngineCount{"owners_lost", &EngineCounts::owners_lost},
                                   EngineCount{"leases_lost", &EngineCounts::leases_lost},
                                   EngineCount{"late_answers", &EngineCounts::late_answers},
                                   EngineCount{"published", &EngineCounts::published},
                                   EngineCount{"published_again", &EngineCounts::published_again}};

std::string quoted_or_null(std::string_view text) {
    return text.empty() ? "null" : json::quote(text);
}

std::string counts_json(const EngineCounts& counts) {
    std::string out = "{";
    for (const EngineCount& one : engine_counts)
        out += base::concat(out.ends_with('{') ? "" : ",", json::quote(one.name), ":", counts.*one.count);
    return out + "}";
}

EngineCounts engine_counts_in(json::View object) {
    EngineCounts read;
    auto counts = object.find("counts");
    if (!counts || !counts->is(json::Kind::object)) return read;
    for (const EngineCount& one : engine_counts)
        read.*one.count = count_in(*counts, one.name);
    return read;
}

std::string duration_or_null(std::optional<std::chrono::microseconds> duration) {
    return duration ? milliseconds_text(*duration) : "null";
}

std::string labels_json(const std::optional<std::vector<base::Labels>>& sets) {
    if (!sets) return "null";
    std::string out = "[";
    for (const base::Labels& labels : *sets)
        out += base::concat(out.ends_with('[') ? "" : ",", labels_array(labels));
    return out + "]";
}

std::optional<std::vector<base::Labels>> labels_of_agents(json::View host) {
    auto member = host.find("labels");
    if (!member || !member->is(json::Kind::array)) return std::nullopt;
    std::vector<base::Labels> sets;
    for (json::View one : member->elements()) {
        auto labels = labels_in(one);
        if (labels.has_error()) return std::nullopt;
        sets.push_back(std::move(*labels));
    }
    return sets;
}

// The elements of the array; none if there is no such array.
std::vector<json::View> elements_in(json::View object, std::string_view name) {
    auto member = object.find(name);
    if (!member || !member->is(json::Kind::array)) return {};
    return member->elements();
}

}  // namespace

std::string to_json(const HostStatus& host) {
    return base::concat(
        "{\"edge\":", json::quote(host.edge), ",\"idle\":", host.idle, ",\"busy\":", host.busy,
        ",\"leases\":", host.leases, ",\"submissions\":", host.submissions,
        ",\"connected_for_ms\":", host.connected_for ? std::to_string(host.connected_for->count()) : "null",
        ",\"lag_ms\":", duration_or_null(host.lag), ",\"counts\":", counts_json(host.counts),
        ",\"labels\":", labels_json(host.labels), "}");
}

std::string to_json(const EngineStatus& engine) {
    std::string out = base::concat(
        "{\"name\":", json::quote(engine.name), ",\"edge\":", json::quote(engine.edge),
        ",\"connected\":", engine.is_connected ? "true" : "false",
        ",\"since\":", engine.since ? std::to_string(engine.since->count()) : "null",
        ",\"problem\":", quoted_or_null(engine.problem), ",\"lag_ms\":", duration_or_null(engine.lag),
        ",\"leases\":", engine.leases, ",\"submissions\":", engine.submissions,
        ",\"elsewhere\":", json::quoted_list(engine.elsewhere), ",\"kept_answers\":", engine.kept_answers,
        ",\"counts\":", counts_json(engine.counts), ",\"hosts\":[");
    for (const HostStatus& host : engine.hosts)
        out += base::concat(out.ends_with('[') ? "" : ",", to_json(host));
    return out + "]}";
}

HostStatus read_host_status(json::View host) {
    HostStatus read{text_in(host, "edge"), count_in(host, "idle"), count_in(host, "busy"),
                    count_in(host, "leases"), count_in(host, "submissions")};
    if (auto duration = duration_in(host, "connected_for_ms"))
        read.connected_for = std::chrono::floor<std::chrono::milliseconds>(*duration);
    read.lag = duration_in(host, "lag_ms");
    read.counts = engine_counts_in(host);
    read.labels = labels_of_agents(host);
    return read;
}

EngineStatus read_engine_status(json::View engine) {
    EngineStatus read;
    read.name = text_in(engine, "name");
    read.edge = text_in(engine, "edge");
    read.is_connected = is_true(engine.find("connected"));
    read.since = time_in(engine, "since");
    read.problem = text_in(engine, "problem");
    read.lag = duration_in(engine, "lag_ms");
    read.leases = count_in(engine, "leases");
    read.submissions = count_in(engine, "submissions");
    for (json::View id : elements_in(engine, "elsewhere"))
        if (id.is(json::Kind::string)) read.elsewhere.push_back(id.string());
    read.kept_answers = count_in(engine, "kept_answers");
    read.counts = engine_counts_in(engine);
    for (json::View host : elements_in(engine, "hosts"))
        if (host.is(json::Kind::object)) read.hosts.push_back(read_host_status(host));
    return read;
}

}  // namespace pool_protocol
