#include "nats_engine/findings.hpp"

#include "base/text.hpp"
#include "terminal/units.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace nats_engine {

namespace {

using edge_shell::Finding;
using Verdict = Finding::Verdict;

constexpr std::pair oldest_version{2, 9};
constexpr std::pair oldest_with_fixes{2, 10};
// Each pair of labels and priority is a queue.
constexpr std::size_t many_queues = 50;
constexpr int almost_full = 90;  // percent

// "2.9.10" is 2 and 9. Of another text, both are 0.
std::pair<int, int> version_numbers(std::string_view text) {
    std::pair<int, int> numbers;
    const char* end = text.data() + text.size();
    auto [dot, problem] = std::from_chars(text.data(), end, numbers.first);
    if (problem != std::errc() || dot == end || *dot != '.') return {};
    if (std::from_chars(dot + 1, end, numbers.second).ec != std::errc()) return {};
    return numbers;
}

// What is full, or almost.
std::string part_of(std::int64_t used, std::int64_t most) {
    return base::concat(terminal::size_text(static_cast<std::uint64_t>(used)), " of ",
                        terminal::size_text(static_cast<std::uint64_t>(most)));
}

bool is_reached(std::int64_t used, std::int64_t most, std::int64_t needed) {
    return most >= 0 && used + needed > most;
}

}  // namespace

Finding server_finding(const std::string& about, const nats::ServerInfo& info, bool uses_tls,
                       std::chrono::microseconds round_trip) {
    std::string text = base::concat(info.name, info.cluster.empty() ? "" : " of the cluster ", info.cluster,
                                    ", version ", info.version, uses_tls ? ", with TLS" : ", without TLS",
                                    ", answers within ", terminal::duration_text(round_trip));
    auto version = version_numbers(info.version);
    if (!info.has_headers || (version.first > 0 && version < oldest_version))
        return {Verdict::wrong, about, text + "; it must be 2.9 or newer: install another version"};
    if (!info.has_jetstream)
        return {Verdict::note, about, text + "; JetStream is off here, so this server keeps no data"};
    if (version < oldest_with_fixes)
        return {Verdict::note, about,
                text + "; this version gets no security fixes: take a newer one for production"};
    return {Verdict::right, about, text};
}

std::vector<Finding> cluster_findings(const std::vector<nats::ServerInfo>& servers) {
    auto is_other = [&](const nats::ServerInfo& server) {
        const nats::ServerInfo& first = servers.front();
        return server.cluster != first.cluster || (server.cluster.empty() && server.name != first.name);
    };
    auto has_jetstream = [](const nats::ServerInfo& server) { return server.has_jetstream; };
    std::vector<Finding> findings;
    if (servers.empty()) return findings;
    if (auto other = std::ranges::find_if(servers, is_other); other != servers.end())
        findings.push_back(
            {Verdict::wrong, "servers",
             base::concat(servers.front().name, " and ", other->name,
                          " are not in the same cluster: they would keep two different pools")});
    if (std::ranges::none_of(servers, has_jetstream))
        findings.push_back({Verdict::wrong, "JetStream",
                            "it is off on all servers: start nats-server with -js, or with a `jetstream` "
                            "block in its configuration"});
    return findings;
}

Finding account_finding(const nats::AccountInfo& account, bool has_streams) {
    constexpr std::int64_t needed_streams = 2;
    const std::string about = "account";
    if (account.has_limits_by_replicas)
        return {Verdict::note, about, "it has limits for each number of replicas, which are not checked"};
    if (!has_streams && is_reached(account.streams, account.most_streams, needed_streams))
        return {Verdict::wrong, about,
                base::concat("it may have ", account.most_streams, " streams and has ", account.streams,
                             "; the pool needs two more: raise max_streams")};
    if (is_reached(account.consumers, account.most_consumers, 1))
        return {Verdict::wrong, about,
                base::concat("it has all of the ", account.most_consumers,
                             " consumers that it may have; each pair of labels and priority needs one: raise "
                             "max_consumers")};
    if (auto most = account.most_unacknowledged; most > 0 && most < most_unacknowledged)
        return {Verdict::wrong, about,
                base::concat("a consumer may have ", most, " unacknowledged messages; the pool needs ",
                             most_unacknowledged, ": raise max_ack_pending")};
    if (account.demands_stream_limits && !has_streams)
        return {Verdict::wrong, about,
                "each stream must have a limit of bytes, and the pool creates its streams without one: turn "
                "max_bytes_required off until the first host has started"};
    if (account.most_stored_bytes < 0)
        return {Verdict::right, about,
                base::concat(terminal::size_text(static_cast<std::uint64_t>(account.stored_bytes)),
                             " stored, without a limit")};
    std::string used = base::concat(part_of(account.stored_bytes, account.most_stored_bytes), " stored");
    if (account.stored_bytes / almost_full >= account.most_stored_bytes / 100)
        return {Verdict::wrong, about,
                used + ": tasks are refused when it is full, so raise max_file, or remove other streams"};
    return {Verdict::right, about, used};
}

Finding size_finding(std::size_t longest_message) {
    constexpr std::size_t small = std::size_t{64} << 10;
    std::size_t text = text_bytes(longest_message);
    std::string sentence =
        base::concat("content and responses may have ", text, " bytes, with their labels and schemas");
    if (text == 0)
        return {
            Verdict::wrong, "sizes",
            base::concat("messages may have ", longest_message,
                         " bytes only: raise max_payload of the servers, or max_msg_size of the streams")};
    if (text < small) return {Verdict::note, "sizes", sentence + "; max_payload of the servers is small"};
    return {Verdict::right, "sizes", sentence};
}

std::optional<Finding> replicas_finding(const nats::StreamInfo& stream, const nats::ServerInfo& server) {
    if (server.cluster.empty() || stream.config.replicas > 1) return std::nullopt;
    return Finding{
        Verdict::note, "replicas",
        base::concat(
            "only one server of the cluster ", server.cluster,
            " keeps the pool's data: with --engine-replicas 3 --fix three do, and the pool goes on when "
            "one is lost")};
}

Finding stream_finding(const FoundStream& stream) {
    const std::string& name = stream.wanted.name;
    const nats::StreamInfo& info = stream.info;
    std::string about = "stream " + name;
    int replicas = std::max(info.config.replicas, 1);
    std::string text =
        base::concat(base::counted(info.messages, "message"), ", ", terminal::size_text(info.bytes), ", ",
                     base::counted(static_cast<std::size_t>(replicas), "replica"));
    if (!info.has_leader)
        return {Verdict::wrong, about,
                "it has no leader: most of the servers that keep it cannot be reached by each other"};
    for (const nats::Replica& replica : info.replicas)
        if (replica.is_offline || !replica.is_current)
            return {Verdict::wrong, about,
                    base::concat(
                        text, "; the one on ", replica.server,
                        replica.is_offline ? " is offline" : " is offline, or has not all of the data yet")};
    if (info.config.replicas < stream.wanted.replicas)
        return {Verdict::wrong, about,
                base::concat(text, "; ", stream.wanted.replicas,
                             " are wanted: give --fix, or run `nats stream edit`")};
    return {Verdict::right, about, text};
}

Finding queues_finding(const std::vector<nats::ConsumerInfo>& consumers, edge::Duration lease) {
    std::uint64_t waiting = 0;
    std::uint64_t taken = 0;
    std::size_t others = 0;
    for (const nats::ConsumerInfo& info : consumers) {
        waiting += info.waiting_messages;
        taken += info.unacknowledged;
        if (info.config.ack_wait != lease) ++others;
    }
    std::string text = base::concat(base::counted(consumers.size(), "queue"), ", ",
                                    base::counted(waiting, "task"), " waiting, ", taken, " with hosts");
    if (others > 0)
        return {Verdict::note, "queues",
                base::concat(text, "; ", others, others == 1 ? " has another lease" : " have another lease",
                             " than --lease-secs: give all hosts the same, and start them again")};
    if (consumers.size() > many_queues)
        return {Verdict::note, "queues",
                text + "; more than 50 slow a host down: use fewer sets of labels or priorities"};
    return {Verdict::right, "queues", text};
}

}  // namespace nats_engine
