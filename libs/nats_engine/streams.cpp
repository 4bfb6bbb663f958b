#include "nats_engine/streams.hpp"

#include "base/checksum.hpp"
#include "base/text.hpp"

#include <algorithm>

namespace nats_engine {

namespace {

// The age of tasks must be below that of records, or a task could be done again after its record is gone.
constexpr std::chrono::hours age_of_tasks{7 * 24};
constexpr std::chrono::hours age_of_records{14 * 24};

std::int64_t nanoseconds(const std::optional<nats::WallTime>& time) {
    return time ? time->time_since_epoch().count() : 0;
}

// Which members of the configuration are wrong.
std::vector<std::string_view> wrong_members(const nats::StreamConfig& found,
                                            const nats::StreamConfig& wanted) {
    std::vector<std::string_view> wrong;
    if (found.subjects != wanted.subjects) wrong.emplace_back("subjects");
    if (found.is_queue != wanted.is_queue) wrong.emplace_back("retention");
    if (found.most_per_subject != wanted.most_per_subject) wrong.emplace_back("max_msgs_per_subject");
    if (found.refuses_new != wanted.refuses_new) wrong.emplace_back("discard");
    if (found.refuses_new_per_subject != wanted.refuses_new_per_subject)
        wrong.emplace_back("discard_new_per_subject");
    if (found.republish_from != wanted.republish_from || found.republish_to != wanted.republish_to)
        wrong.emplace_back("republish");
    // When it is full, a queue refuses tasks, and nothing is lost.
    if (wanted.refuses_new) return wrong;
    if (found.most_messages > 0) wrong.emplace_back("max_msgs");
    if (found.most_bytes > 0) wrong.emplace_back("max_bytes");
    return wrong;
}

bool is_outlived(const nats::StreamConfig& queue, const nats::StreamConfig& records) {
    if (records.max_age.count() == 0) return false;
    return queue.max_age.count() == 0 || queue.max_age >= records.max_age;
}

}  // namespace

nats::StreamConfig queue_stream(const Names& names, int replicas) {
    nats::StreamConfig config;
    config.name = names.queue_stream();
    config.subjects = {names.all_tasks()};
    config.is_queue = config.refuses_new = config.refuses_new_per_subject = true;
    config.most_per_subject = 1;
    config.max_age = age_of_tasks;
    config.replicas = replicas;
    return config;
}

nats::StreamConfig record_stream(const Names& names, int replicas) {
    nats::StreamConfig config;
    config.name = names.record_stream();
    config.subjects = {names.all_records()};
    config.most_per_subject = 1;
    config.max_age = age_of_records;
    config.replicas = replicas;
    config.republish_from = names.all_records();
    config.republish_to = names.all_notices();
    return config;
}

nats::ConsumerConfig consumer(const Names& names, const edge::Queue& queue, edge::Duration lease) {
    nats::ConsumerConfig config;
    config.name = consumer_name(queue);
    config.filter = names.tasks_of(config.name);
    config.ack_wait = lease;
    config.most_deliveries = -1;
    config.most_unacknowledged = most_unacknowledged;
    config.most_pulls = 10'000;
    config.description = queue_description(queue);
    return config;
}

std::optional<std::string> problem_of(const FoundStream& queue, const FoundStream& records) {
    for (const FoundStream* stream : {&queue, &records}) {
        const std::string& name = stream->wanted.name;
        auto wrong = wrong_members(stream->info.config, stream->wanted);
        if (!wrong.empty())
            return base::concat(
                "the stream ", name, " has another ", wrong.front(),
                " than this pool needs: change it, or delete the stream while the pool is stopped");
        if (!stream->info.created)
            return base::concat("the server does not say when the stream ", name, " was created");
    }
    if (is_outlived(queue.info.config, records.info.config))
        return base::concat("the max_age of the stream ", queue.wanted.name, " is not below that of ",
                            records.wanted.name, ": tasks could be done twice");
    return std::nullopt;
}

std::size_t longest_message(const nats::StreamInfo& stream, std::size_t max_payload) {
    auto limit = stream.config.longest_message;
    return limit > 0 ? std::min(static_cast<std::size_t>(limit), max_payload) : max_payload;
}

std::size_t text_bytes(std::size_t longest_message) {
    constexpr std::size_t headroom = 4096;  // for what a record, or a task, has besides
    return longest_message - std::min(headroom, longest_message);
}

std::vector<StreamChange> changes_for(const FoundStream& queue, const FoundStream& records) {
    std::vector<StreamChange> changes;
    for (const FoundStream* stream : {&queue, &records}) {
        StreamChange change{stream->info, stream->wanted, wrong_members(stream->info.config, stream->wanted)};
        if (stream == &queue && is_outlived(queue.info.config, records.info.config)) {
            change.wanted.max_age =
                std::min<nats::Nanoseconds>(age_of_tasks, records.info.config.max_age / 2);
            change.members.emplace_back("max_age");
        }
        if (stream->info.config.replicas < stream->wanted.replicas)
            change.members.emplace_back("num_replicas");
        if (!change.members.empty()) changes.push_back(std::move(change));
    }
    return changes;
}

edge::StoreId store_id(const nats::StreamInfo& queue, const nats::StreamInfo& records) {
    return {base::checksum(base::concat(nanoseconds(queue.created), ',', nanoseconds(records.created)))};
}

std::uint64_t first_version(const nats::StreamInfo& records) {
    return static_cast<std::uint64_t>(nanoseconds(records.created) / 1000);
}

}  // namespace nats_engine
