#include "base/text.hpp"
#include "json/json.hpp"
#include "json/object_writer.hpp"
#include "nats/api.hpp"

#include <algorithm>

namespace nats {

namespace {

constexpr std::string_view prefix = "$JS.API.";

std::string array_of(const std::vector<std::string>& texts) {
    std::string out = "[";
    for (const std::string& text : texts) {
        if (out.size() > 1) out += ',';
        json::append_quoted(out, text);
    }
    return out + "]";
}

std::string stream_json(const StreamConfig& config) {
    json::ObjectWriter object;
    object.text("name", config.name)
        .raw("subjects", array_of(config.subjects))
        .text("retention", config.is_queue ? "workqueue" : "limits")
        .text("storage", "file")
        .text("discard", config.refuses_new ? "new" : "old")
        .number("max_consumers", -1)
        .number("max_msgs", config.most_messages)
        .number("max_bytes", config.most_bytes)
        .number("max_msgs_per_subject", config.most_per_subject)
        .number("max_msg_size", config.longest_message)
        .number("max_age", config.max_age.count())
        .number("duplicate_window", config.duplicate_window.count())
        .number("num_replicas", config.replicas)
        .flag("allow_direct", config.allows_direct);
    if (config.refuses_new_per_subject) object.flag("discard_new_per_subject", true);
    if (!config.republish_to.empty())
        object.raw(
            "republish",
            json::ObjectWriter().text("src", config.republish_from).text("dest", config.republish_to).done());
    return object.done();
}

std::string consumer_json(const ConsumerConfig& config) {
    json::ObjectWriter object;
    object.text("durable_name", config.name)
        .text("deliver_policy", "all")
        .text("ack_policy", "explicit")
        .text("replay_policy", "instant")
        .number("ack_wait", config.ack_wait.count())
        .number("max_deliver", config.most_deliveries)
        .number("max_ack_pending", config.most_unacknowledged)
        .number("max_waiting", config.most_pulls);
    if (!config.filter.empty()) object.text("filter_subject", config.filter);
    if (!config.description.empty()) object.text("description", config.description);
    return object.done();
}

}  // namespace

std::string not_now(Nanoseconds delay) {
    if (delay.count() <= 0) return "-NAK";
    return base::concat("-NAK ", json::ObjectWriter().number("delay", delay.count()).done());
}

ApiCall create_stream(const StreamConfig& config) {
    return {base::concat(prefix, "STREAM.CREATE.", config.name), stream_json(config),
            base::concat("cannot create the stream ", config.name)};
}

ApiCall update_stream(const StreamInfo& found, const StreamConfig& wanted,
                      const std::vector<std::string_view>& members) {
    auto is_named = [&](const std::string& name) {
        return std::find(members.begin(), members.end(), name) != members.end();
    };
    std::string wanted_text = stream_json(wanted);
    json::ObjectWriter body;
    for (bool takes_wanted : {false, true})
        for (const json::Member& member :
             json::View::of(takes_wanted ? wanted_text : found.config_text).members())
            if (std::string name = member.key.string(); is_named(name) == takes_wanted)
                body.raw(name, member.value.text());
    return {base::concat(prefix, "STREAM.UPDATE.", wanted.name), body.done(),
            base::concat("cannot change the stream ", wanted.name)};
}

ApiCall account_info() {
    return {base::concat(prefix, "INFO"), {}, "cannot ask for the account's limits"};
}

ApiCall stream_info(const std::string& stream) {
    return {
        base::concat(prefix, "STREAM.INFO.", stream), {}, base::concat("cannot look at the stream ", stream)};
}

ApiCall create_consumer(const std::string& stream, const ConsumerConfig& config) {
    return {base::concat(prefix, "CONSUMER.DURABLE.CREATE.", stream, '.', config.name),
            json::ObjectWriter().text("stream_name", stream).raw("config", consumer_json(config)).done(),
            base::concat("cannot create the consumer ", config.name, " of the stream ", stream)};
}

ApiCall consumer_info(const std::string& stream, const std::string& consumer) {
    return {base::concat(prefix, "CONSUMER.INFO.", stream, '.', consumer),
            {},
            base::concat("cannot look at the consumer ", consumer, " of the stream ", stream)};
}

ApiCall list_consumers(const std::string& stream, std::size_t offset) {
    return {base::concat(prefix, "CONSUMER.LIST.", stream),
            json::ObjectWriter().number("offset", static_cast<std::int64_t>(offset)).done(),
            base::concat("cannot list the consumers of the stream ", stream)};
}

ApiCall last_by_leader(const std::string& stream, const std::string& subject) {
    return {base::concat(prefix, "STREAM.MSG.GET.", stream),
            json::ObjectWriter().text("last_by_subj", subject).done(), base::concat("cannot read ", subject)};
}

ApiCall last_direct(const std::string& stream, const std::string& subject) {
    return {base::concat(prefix, "DIRECT.GET.", stream),
            json::ObjectWriter().text("last_by_subj", subject).done(), base::concat("cannot read ", subject)};
}

// Without `no_erase`, the server would overwrite the message on the disk first.
ApiCall delete_message(const std::string& stream, std::uint64_t sequence) {
    return {
        base::concat(prefix, "STREAM.MSG.DELETE.", stream),
        json::ObjectWriter().number("seq", static_cast<std::int64_t>(sequence)).flag("no_erase", true).done(),
        base::concat("cannot delete the message ", sequence, " of the stream ", stream)};
}

ApiCall purge(const std::string& stream, const std::string& filter, std::uint64_t before) {
    json::ObjectWriter body;
    if (!filter.empty()) body.text("filter", filter);
    if (before > 0) body.number("seq", static_cast<std::int64_t>(before));
    return {base::concat(prefix, "STREAM.PURGE.", stream), body.done(),
            base::concat("cannot remove the messages of ", filter.empty() ? stream : filter)};
}

ApiCall pull(const std::string& stream, const std::string& consumer, const PullRequest& request) {
    json::ObjectWriter body;
    body.number("batch", static_cast<std::int64_t>(request.batch));
    if (request.expires.count() > 0)
        body.number("expires", request.expires.count());
    else
        body.flag("no_wait", true);
    if (request.heartbeat.count() > 0) body.number("idle_heartbeat", request.heartbeat.count());
    return {base::concat(prefix, "CONSUMER.MSG.NEXT.", stream, '.', consumer), body.done(),
            base::concat("cannot pull from the consumer ", consumer, " of the stream ", stream)};
}

}  // namespace nats
