#include "base/base64.hpp"
#include "base/text.hpp"
#include "base/utc_text.hpp"
#include "json/json.hpp"
#include "json/lenient_object.hpp"
#include "nats/api.hpp"
#include "nats/api_error.hpp"
#include "nats/error.hpp"
#include "nats/headers.hpp"
#include "nats/read_number.hpp"

#include <array>

namespace nats {

namespace {

using json::LenientObject;

base::Error not_understood(const Message& reply) {
    constexpr std::size_t longest = 100;
    return error(Errc::protocol, base::concat("the answer is not understood: ",
                                              std::string_view(reply.payload).substr(0, longest)));
}

base::Error api_error(const LenientObject& said) {
    auto code = said.number("err_code", said.number("code"));
    constexpr std::int64_t most = 1'000'000;
    auto api_code = static_cast<ApiErrc>(std::clamp<std::int64_t>(code, 0, most));
    return {make_error_code(api_code), base::concat(said.text("description"), " (error ", code, ')')};
}

// The reply's object, if it is none about an error.
base::Result<LenientObject> parse_reply(const Message& reply) {
    auto value = json::checked(reply.payload);
    if (!value || !value->is(json::Kind::object)) return not_understood(reply);
    LenientObject members{*value};
    LenientObject said = members.in("error");
    if (said.object) return api_error(said);
    return members;
}

StreamConfig stream_config(const LenientObject& said) {
    StreamConfig config;
    config.name = said.text("name");
    config.subjects = said.texts("subjects");
    config.is_queue = said.text("retention") == "workqueue";
    config.refuses_new = said.text("discard") == "new";
    config.refuses_new_per_subject = said.flag("discard_new_per_subject");
    config.most_messages = said.number("max_msgs", -1);
    config.most_per_subject = said.number("max_msgs_per_subject", -1);
    config.most_bytes = said.number("max_bytes", -1);
    config.longest_message = said.number("max_msg_size", -1);
    config.max_age = Nanoseconds(said.number("max_age"));
    config.duplicate_window = Nanoseconds(said.number("duplicate_window"));
    config.replicas = static_cast<int>(std::clamp<std::int64_t>(said.number("num_replicas"), 0, 100));
    config.allows_direct = said.flag("allow_direct");
    config.republish_from = said.in("republish").text("src");
    config.republish_to = said.in("republish").text("dest");
    return config;
}

// A server that is in no cluster names no leader either.
void read_replicas(const LenientObject& cluster, StreamInfo& info) {
    auto listed = cluster.of_kind("replicas", json::Kind::array);
    info.has_leader = !listed || !cluster.text("leader").empty();
    if (!listed) return;
    for (json::View element : listed->elements()) {
        LenientObject said{element};
        info.replicas.push_back({said.text("name"), said.flag("current"), said.flag("offline")});
    }
}

ConsumerConfig consumer_config(const LenientObject& said) {
    ConsumerConfig config;
    config.name = said.text("durable_name");
    config.filter = said.text("filter_subject");
    config.ack_wait = Nanoseconds(said.number("ack_wait"));
    config.most_deliveries = said.number("max_deliver", -1);
    config.most_unacknowledged = said.number("max_ack_pending", -1);
    config.most_pulls = said.number("max_waiting");
    config.description = said.text("description");
    return config;
}

ConsumerInfo consumer_of(const LenientObject& said) {
    ConsumerInfo info;
    info.config = consumer_config(said.in("config"));
    info.waiting_messages = said.count("num_pending");
    info.unacknowledged = said.count("num_ack_pending");
    info.redelivered = said.count("num_redelivered");
    info.waiting_pulls = said.count("num_waiting");
    info.acknowledged_up_to = said.in("ack_floor").count("stream_seq");
    return info;
}

// A deletion that finds nothing has failed, by its code.
bool is_not_found(const base::Error& error) {
    return error.code == ApiErrc::message_not_found ||
           (error.code == ApiErrc::deletion_failed && error.message.starts_with("no message found"));
}

}  // namespace

base::Result<AccountInfo> parse_account_info(const Message& reply) {
    auto members = parse_reply(reply);
    if (members.has_error()) return members.error();
    LenientObject limits = members->in("limits");
    if (!limits.object) return not_understood(reply);
    AccountInfo info;
    info.stored_bytes = members->number("storage");
    info.most_stored_bytes = limits.number("max_storage", -1);
    info.streams = members->number("streams");
    info.most_streams = limits.number("max_streams", -1);
    info.consumers = members->number("consumers");
    info.most_consumers = limits.number("max_consumers", -1);
    info.most_unacknowledged = limits.number("max_ack_pending", -1);
    info.demands_stream_limits = limits.flag("max_bytes_required");
    info.has_limits_by_replicas = members->in("tiers").object.has_value();
    return info;
}

base::Result<StreamInfo> parse_stream_info(const Message& reply) {
    auto members = parse_reply(reply);
    if (members.has_error()) return members.error();
    StreamInfo info;
    LenientObject config = members->in("config");
    info.config = stream_config(config);
    if (info.config.name.empty()) return not_understood(reply);
    info.config_text = config.object->text();
    info.created = base::parse_utc_text(members->text("created"));
    LenientObject state = members->in("state");
    info.messages = state.count("messages");
    info.bytes = state.count("bytes");
    info.first_sequence = state.count("first_seq");
    info.last_sequence = state.count("last_seq");
    read_replicas(members->in("cluster"), info);
    return info;
}

base::Result<ConsumerInfo> parse_consumer_info(const Message& reply) {
    auto members = parse_reply(reply);
    if (members.has_error()) return members.error();
    ConsumerInfo info = consumer_of(*members);
    if (info.config.name.empty()) return not_understood(reply);
    return info;
}

// Consumers that are not durable have no name here.
base::Result<ConsumerList> parse_consumer_list(const Message& reply) {
    auto members = parse_reply(reply);
    if (members.has_error()) return members.error();
    auto listed = members->of_kind("consumers", json::Kind::array);
    if (!listed && !members->of_kind("consumers", json::Kind::null)) return not_understood(reply);
    ConsumerList list;
    list.total = members->count("total");
    if (!listed) return list;
    for (json::View element : listed->elements())
        list.consumers.push_back(consumer_of(LenientObject{element}));
    return list;
}

base::Result<Stored> parse_stored(const Message& reply) {
    auto members = parse_reply(reply);
    if (members.has_error()) return members.error();
    Stored stored{members->text("stream"), members->count("seq"), members->flag("duplicate")};
    if (stored.stream.empty() || stored.sequence == 0) return not_understood(reply);
    return stored;
}

base::Result<std::optional<StoredMessage>> parse_message_of_leader(const Message& reply) {
    auto members = parse_reply(reply);
    if (members.has_error() && is_not_found(members.error())) return std::optional<StoredMessage>();
    if (members.has_error()) return members.error();
    LenientObject said = members->in("message");
    auto headers = base::from_base64(said.text("hdrs"));
    auto payload = base::from_base64(said.text("data"));
    StoredMessage message{said.text("subject"), said.count("seq"), headers.value_or(""),
                          payload.value_or("")};
    if (message.subject.empty() || message.sequence == 0 || !headers || !payload)
        return not_understood(reply);
    return std::optional(std::move(message));
}

base::Result<std::optional<StoredMessage>> parse_direct_message(const Message& reply) {
    if (auto said = status(reply.headers)) {
        if (said->code == 404) return std::optional<StoredMessage>();
        return error(Errc::refused, base::concat("the server says: ", said->description));
    }
    StoredMessage message{std::string(header(reply.headers, "Nats-Subject").value_or("")), 0, reply.headers,
                          reply.payload};
    bool is_right = read_number(header(reply.headers, "Nats-Sequence").value_or(""), message.sequence);
    if (!is_right || message.subject.empty()) return not_understood(reply);
    return std::optional(std::move(message));
}

base::Result<bool> parse_deleted(const Message& reply) {
    auto members = parse_reply(reply);
    if (members.has_error() && is_not_found(members.error())) return false;
    if (members.has_error()) return members.error();
    return members->flag("success");
}

base::Result<std::uint64_t> parse_purged(const Message& reply) {
    auto members = parse_reply(reply);
    if (members.has_error()) return members.error();
    if (!members->flag("success")) return not_understood(reply);
    return members->count("purged");
}

// $JS.ACK.STREAM.CONSUMER.COUNT.SEQUENCE.CONSUMER-SEQUENCE.TIME.WAITING; newer servers have a domain and an
// account's hash before the stream, and may have more at the end.
std::optional<Delivery> parse_delivery(std::string_view reply) {
    constexpr std::size_t old_words = 9;
    constexpr std::size_t most_words = 16;
    std::array<std::string_view, most_words> words;
    std::size_t count = 0;
    while (count < most_words) {
        std::size_t dot = reply.find('.');
        words.at(count++) = reply.substr(0, dot);
        if (dot == reply.npos) break;
        reply.remove_prefix(dot + 1);
    }
    if (count < old_words || count == old_words + 1 || words[0] != "$JS" || words[1] != "ACK")
        return std::nullopt;
    const std::string_view* from = words.data() + (count == old_words ? 2 : 4);
    Delivery delivery{std::string(from[0]), std::string(from[1])};
    std::int64_t time = 0;
    bool is_right = read_number(from[2], delivery.count) && read_number(from[3], delivery.sequence) &&
                    read_number(from[5], time) && read_number(from[6], delivery.waiting);
    if (!is_right) return std::nullopt;
    delivery.time = WallTime(Nanoseconds(time));
    return delivery;
}

}  // namespace nats
