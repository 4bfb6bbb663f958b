#include "pool_protocol/status.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "pool_protocol/fields.hpp"
#include "pool_protocol/names.hpp"

#include <algorithm>

namespace pool_protocol {

namespace {

using std::chrono::microseconds;

template<class... Pieces>
void append(std::string& out, const Pieces&... pieces) {
    (base::append_piece(out, pieces), ...);
}

bool is_true(json::View document, std::string_view name) {
    auto found = document.find(name);
    return found && found->is(json::Kind::boolean) && found->boolean();
}

std::string text_or_null(std::string_view text) {
    return text.empty() ? "null" : json::quote(text);
}

void append_agent(std::string& out, const AgentStatus& agent, UnixTime now) {
    append(out, "{\"id\":", json::quote(agent.id), ",\"name\":", text_or_null(agent.name), ",\"state\":\"",
           state_name(agent.state), "\",\"submission\":", text_or_null(agent.submission),
           ",\"since\":", agent.since.count(), ",\"for_ms\":", (now - agent.since).count(),
           ",\"deadline\":", agent.deadline ? std::to_string(agent.deadline->count()) : "null",
           ",\"labels\":", labels_array(agent.labels),
           ",\"activity\":", agent.activity ? to_json(*agent.activity) : "null", "}");
}

void append_unmatched(std::string& out, const QueueStatus& queue, UnixTime now) {
    out += ",\"unmatched\":[";
    for (const QueueStatus::Unmatched& tasks : queue.unmatched)
        append(out, out.ends_with('[') ? "" : ",", "{\"labels\":", labels_array(tasks.labels),
               ",\"missing\":", labels_array(tasks.missing), ",\"length\":", tasks.length,
               ",\"since\":", tasks.since.count(), ",\"for_ms\":", (now - tasks.since).count(), "}");
    out += "]}";
}

void append_queue(std::string& out, const QueueStatus& queue, UnixTime now) {
    append(out, "\"queue\":{\"length\":", queue.length, ",\"head\":");
    if (queue.head)
        append(out, "{\"submission\":", json::quote(queue.head->submission),
               ",\"since\":", queue.head->since.count(), ",\"for_ms\":", (now - queue.head->since).count(),
               "}");
    else
        out += "null";
    append_unmatched(out, queue, now);
}

void append_latency(std::string& out, std::string_view name, const Latency& latency) {
    auto value = [&](microseconds duration) {
        return latency.count == 0 ? std::string("null") : milliseconds_text(duration);
    };
    append(out, json::quote(name), ":{\"count\":", latency.count, ",\"p50_ms\":", value(latency.p50),
           ",\"p90_ms\":", value(latency.p90), ",\"p99_ms\":", value(latency.p99),
           ",\"max_ms\":", value(latency.max), "}");
}

void append_histogram(std::string& out, std::string_view name, const DurationHistogram& histogram) {
    append(out, json::quote(name), ":{\"count\":", histogram.count,
           ",\"sum_ms\":", milliseconds_text(histogram.sum), ",\"at_most\":[");
    for (std::size_t i = 0; i < histogram.counts.size(); ++i)
        append(out, i > 0 ? "," : "", "{\"ms\":", DurationHistogram::bounds[i].count() / 1000,
               ",\"count\":", histogram.counts[i], "}");
    out += "]}";
}

// ---- parsing: members that are absent or of another type read as zero or empty ----

std::optional<std::int64_t> number_in(json::View object, std::string_view name) {
    auto member = object.find(name);
    return member && member->is(json::Kind::number) ? member->integer() : std::nullopt;
}

base::Labels labels_of(json::View object, std::string_view name) {
    auto labels = labels_in(object.find(name));
    return labels.has_value() ? std::move(*labels) : base::Labels();
}

microseconds latency_in(json::View object, std::string_view name) {
    return duration_in(object, name).value_or(microseconds());
}

json::View object_in(json::View object, std::string_view name) {
    auto member = object.find(name);
    return member && member->is(json::Kind::object) ? *member : json::View::of("{}");
}

// The elements that are objects.
std::vector<json::View> objects_in(json::View object, std::string_view name) {
    auto member = object.find(name);
    if (!member || !member->is(json::Kind::array)) return {};
    auto elements = member->elements();
    std::erase_if(elements, [](json::View element) { return !element.is(json::Kind::object); });
    return elements;
}

Latency read_latency(json::View latency) {
    return {count_in(latency, "count"), latency_in(latency, "p50_ms"), latency_in(latency, "p90_ms"),
            latency_in(latency, "p99_ms"), latency_in(latency, "max_ms")};
}

// Nothing of a histogram with other bounds.
DurationHistogram read_histogram(json::View histogram) {
    DurationHistogram read;
    std::vector<json::View> buckets = objects_in(histogram, "at_most");
    if (buckets.size() != read.counts.size()) return {};
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        if (number_in(buckets[i], "ms") != DurationHistogram::bounds[i].count() / 1000) return {};
        read.counts[i] = count_in(buckets[i], "count");
    }
    read.count = count_in(histogram, "count");
    read.sum = latency_in(histogram, "sum_ms");
    return read;
}

AgentStatus read_agent(json::View agent) {
    AgentStatus read;
    read.id = text_in(agent, "id");
    read.name = text_in(agent, "name");
    read.submission = text_in(agent, "submission");
    read.since = time_in(agent, "since").value_or(UnixTime{});
    read.deadline = time_in(agent, "deadline");
    read.labels = labels_of(agent, "labels");
    auto activity = agent.find("activity");
    if (activity && !activity->is(json::Kind::null)) read.activity = parse_activity(*activity);
    std::string state = text_in(agent, "state");
    if (state == "busy") read.state = AgentStatus::State::busy;
    if (state == "heartbeat") read.state = AgentStatus::State::heartbeat;
    if (state == "ending") read.state = AgentStatus::State::ending;
    return read;
}

QueueStatus read_queue(json::View queue) {
    QueueStatus read;
    read.length = count_in(queue, "length");
    auto head = queue.find("head");
    if (head && head->is(json::Kind::object))
        read.head = {text_in(*head, "submission"), time_in(*head, "since").value_or(UnixTime{})};
    for (json::View tasks : objects_in(queue, "unmatched"))
        read.unmatched.push_back({labels_of(tasks, "labels"), labels_of(tasks, "missing"),
                                  count_in(tasks, "length"), time_in(tasks, "since").value_or(UnixTime{})});
    return read;
}

base::Error not_a_status(std::string_view text) {
    constexpr std::size_t shown = 200;
    return {boost::system::errc::make_error_code(boost::system::errc::operation_not_supported),
            base::concat("the pool's daemon knows no status: it is an older one, or the published one. It "
                         "answered: ",
                         json::quote(text.substr(0, shown)), text.size() > shown ? "…" : "")};
}

}  // namespace

std::string_view state_name(AgentStatus::State state) {
    switch (state) {
        case AgentStatus::State::idle:
            return "idle";
        case AgentStatus::State::busy:
            return "busy";
        case AgentStatus::State::ending:
            return "ending";
        case AgentStatus::State::heartbeat:
            break;
    }
    return "heartbeat";
}

std::size_t Status::agents_in(AgentStatus::State state) const {
    return static_cast<std::size_t>(std::ranges::count(agents, state, &AgentStatus::state));
}

std::string status_request(bool with_hosts) {
    return with_hosts ? R"({"kind":"Status","hosts":true})" : R"({"kind":"Status"})";
}

// Called for every frame of a submitter: most must be rejected without parsing.
std::optional<StatusRequest> parse_status_request(std::string_view frame) {
    constexpr std::size_t longest = 512;
    if (frame.size() > longest || frame.find("Status") == std::string_view::npos || json::check(frame))
        return std::nullopt;
    json::View request = json::View::of(frame);
    if (text_in(request, "kind") != "Status") return std::nullopt;
    StatusRequest read;
    read.wants_hosts = is_true(request.find("hosts"));
    auto id = request.find("id");
    if (!id || id->is(json::Kind::null)) return read;
    if (!id->is(json::Kind::string) || !is_id(id->string())) return std::nullopt;
    read.id = id->string();
    return read;
}

std::string to_json(const Status& status, const std::optional<std::string>& id) {
    std::string out = "{";
    if (id) append(out, "\"id\":", json::quote(*id), ",");
    append(out, "\"kind\":\"Status\",\"pool\":", json::quote(status.pool),
           ",\"path\":", json::quote(status.path), ",\"pid\":", status.pid,
           ",\"version\":", text_or_null(status.version),
           ",\"program_replaced\":", status.program_replaced ? "true" : "false",
           ",\"time\":", status.time.count(), ",\"started\":", status.started.count(),
           ",\"draining\":", status.draining ? "true" : "false", ",");
    append_queue(out, status.queue, status.time);
    out += ',';
    append(out, "\"counts\":", to_json(status.counts), ",");
    if (status.total) append(out, "\"total\":", to_json(*status.total), ",");
    append_latency(out, "waiting", status.waiting);
    out += ',';
    append_latency(out, "working", status.working);
    out += ',';
    append_histogram(out, "queue_wait", status.queue_wait);
    out += ',';
    append_histogram(out, "task_duration", status.task_duration);
    if (status.engine) append(out, ",\"engine\":", to_json(*status.engine));
    out += ",\"away\":[";
    for (const AgentAway& away : status.away)
        append(out, out.ends_with('[') ? "" : ",", "{", away_members(away), "}");
    out += "],\"agents\":[";
    for (std::size_t i = 0; i < status.agents.size(); ++i) {
        if (i > 0) out += ',';
        append_agent(out, status.agents[i], status.time);
    }
    out += "]}";
    return out;
}

bool is_status(std::string_view frame) {
    return frame.starts_with(R"({"kind":"Status",)");
}

base::Result<Status> parse_status(std::string_view text) {
    if (json::check(text)) return not_a_status(text);
    json::View document = json::View::of(text);
    if (text_in(document, "kind") != "Status") return not_a_status(text);
    Status status;
    status.pool = text_in(document, "pool");
    status.path = text_in(document, "path");
    status.pid = number_in(document, "pid").value_or(0);
    status.time = time_in(document, "time").value_or(UnixTime{});
    status.started = time_in(document, "started").value_or(UnixTime{});
    status.version = text_in(document, "version");
    status.program_replaced = is_true(document, "program_replaced");
    status.draining = is_true(document, "draining");
    status.queue = read_queue(object_in(document, "queue"));
    status.counts = counts_in(object_in(document, "counts"));
    status.total = total_counts_in(object_in(document, "total"));
    status.waiting = read_latency(object_in(document, "waiting"));
    status.working = read_latency(object_in(document, "working"));
    status.queue_wait = read_histogram(object_in(document, "queue_wait"));
    status.task_duration = read_histogram(object_in(document, "task_duration"));
    if (auto engine = document.find("engine"); engine && engine->is(json::Kind::object))
        status.engine = read_engine_status(*engine);
    for (json::View agent : objects_in(document, "agents"))
        status.agents.push_back(read_agent(agent));
    for (json::View away : objects_in(document, "away"))
        if (auto read = parse_away(away)) status.away.push_back(std::move(*read));
    return status;
}

}  // namespace pool_protocol
