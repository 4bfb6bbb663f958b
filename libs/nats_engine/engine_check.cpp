#include "nats_engine/engine_check.hpp"

#include "base/text.hpp"
#include "io/bell.hpp"
#include "io/internal_error.hpp"
#include "io/log.hpp"
#include "nats/api_error.hpp"
#include "nats/error.hpp"
#include "nats/jetstream.hpp"
#include "nats_engine/findings.hpp"
#include "nats_engine/probes.hpp"

#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <set>

namespace nats_engine {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using Verdict = edge_shell::Finding::Verdict;

namespace {

std::string address_of(const nats::ServerAddress& server) {
    return base::concat(server.uses_tls ? "tls://" : "nats://", nats::address_text(server));
}

std::string list_of(const std::vector<std::string_view>& members) {
    std::string out;
    for (std::string_view member : members) {
        if (!out.empty()) out += ", ";
        out += member;
    }
    return out;
}

}  // namespace

// A connection to one server.
struct EngineCheck::Connection {
    Connection(const asio::any_io_executor& executor, nats::Settings client_settings,
               nats::Client::Files files, nats::Duration timeout)
        : bell(executor),
          client(executor, std::move(client_settings), std::move(files),
                 [this](const nats::Notice& notice) { noticed(notice); }),
          jetstream(client, timeout) {}

    void noticed(const nats::Notice& notice) {
        if (std::holds_alternative<nats::Ready>(notice)) is_open = true;
        if (const auto* failed = std::get_if<nats::Failed>(&notice)) problem = failed->error;
        if (const auto* refused = std::get_if<nats::Refused>(&notice))
            refused_publications.insert(refused->subject);
        bell.ring();
    }

    asio::awaitable<void> opened() {
        while (!is_open && !problem)
            co_await bell.wait();
    }

    io::Bell bell;
    bool is_open = false;
    std::optional<base::Error> problem;
    std::set<std::string> refused_publications;
    nats::Client client;
    nats::JetStream jetstream;
};

EngineCheck::EngineCheck(asio::any_io_executor executor, Settings settings, bool mends,
                         edge_shell::OnFinding on_finding)
    : executor_(executor),
      settings_(std::move(settings)),
      names_(settings_.pool),
      mends_(mends),
      on_finding_(std::move(on_finding)),
      tasks_(executor, io::end_process) {}

EngineCheck::~EngineCheck() = default;

asio::awaitable<void> EngineCheck::run() {
    std::exception_ptr cancelled;
    try {
        co_await look_at_all();
    } catch (const boost::system::system_error&) {
        cancelled = std::current_exception();
    }
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    tasks_.cancel();
    co_await tasks_.join();
    if (cancelled) std::rethrow_exception(cancelled);
}

asio::awaitable<void> EngineCheck::look_at_all() {
    for (const nats::ServerAddress& address : settings_.servers)
        co_await look_at_server(address);
    for (const edge_shell::Finding& finding : cluster_findings(servers_))
        found(finding);
    if (usable_ == nullptr) co_return;
    co_await try_permissions();
    co_await look_at_streams();
    co_await look_at_account();
    if (queue_) co_await look_at_queues();
}

asio::awaitable<void> EngineCheck::look_at_server(const nats::ServerAddress& address) {
    nats::Settings client;
    client.servers = {address};
    client.name = base::concat("troupe engine check ", settings_.pool);
    client.version = settings_.version;
    connections_.push_back(
        std::make_unique<Connection>(executor_, client, settings_.files, settings_.times.request));
    Connection& connection = *connections_.back();
    tasks_.spawn("a connection to a NATS server", connection.client.run());
    co_await connection.opened();
    if (!connection.is_open) {
        found({Verdict::wrong, address_of(address), connection.problem->message});
        co_return;
    }
    auto begin = std::chrono::steady_clock::now();
    auto answered = co_await connection.client.flush(settings_.times.request);
    if (answered.has_error()) {
        found({Verdict::wrong, address_of(address), answered.error().message});
        co_return;
    }
    auto round_trip = std::chrono::ceil<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
    const nats::ServerInfo& info = connection.client.server_info();
    found(server_finding(address_of(address), info, address.uses_tls || info.needs_tls, round_trip));
    servers_.push_back(info);
    if (usable_ == nullptr && info.has_jetstream) usable_ = &connection;
}

// The server's complaints come before the answer to the flush.
asio::awaitable<void> EngineCheck::try_permissions() {
    nats::Client& client = usable_->client;
    std::set<std::string> refused_subscriptions;
    std::vector<nats::Subscription> subscriptions;
    auto subscribed = tried_subscriptions(names_, settings_.self);
    for (const TriedSubscription& tried : subscribed) {
        auto refused = [&refused_subscriptions, subject = tried.subject](const base::Error& error) {
            if (error.code == nats::Errc::permission) refused_subscriptions.insert(subject);
        };
        auto subscription = client.subscribe(
            tried.subject, [](const nats::Message&) {}, refused);
        if (subscription.has_value()) subscriptions.push_back(std::move(*subscription));
    }
    auto published = tried_publications(names_, settings_.self);
    for (const Publication& tried : published)
        (void)client.publish({tried.subject, tried.payload, tried.headers});
    auto answered = co_await client.flush(settings_.times.request);
    if (answered.has_error()) {
        found({Verdict::wrong, "permissions", answered.error().message});
        co_return;
    }
    auto finding =
        permissions_finding(published, usable_->refused_publications, subscribed, refused_subscriptions);
    can_create_ = finding.verdict != Verdict::wrong;
    found(finding);
}

asio::awaitable<void> EngineCheck::look_at_account() {
    auto account = co_await usable_->jetstream.account_info();
    if (account.has_value())
        found(account_finding(*account, queue_ && records_));
    else if (account.error().code == nats::Errc::permission)
        found({Verdict::note, "account", account.error().message});
    else
        found({Verdict::wrong, "account", account.error().message});
}

asio::awaitable<void> EngineCheck::find(std::optional<nats::StreamInfo>& stream,
                                        const nats::StreamConfig& wanted) {
    auto info = co_await usable_->jetstream.stream_info(wanted.name);
    if (info.has_value())
        stream = std::move(*info);
    else if (info.error().code != nats::ApiErrc::stream_not_found)
        found({Verdict::wrong, "stream " + wanted.name, info.error().message});
    else if (can_create_)
        found({Verdict::note, "stream " + wanted.name,
               "it is not there yet: the first host of the pool that starts creates it"});
}

asio::awaitable<void> EngineCheck::mend(std::optional<nats::StreamInfo>& stream, const StreamChange& change) {
    std::string about = "stream " + change.wanted.name;
    auto updated = co_await usable_->jetstream.update_stream(change.found, change.wanted, change.members);
    if (updated.has_error()) {
        found({Verdict::wrong, about,
               base::concat(updated.error().message,
                            "; stop the pool, delete the stream, and start the pool again")});
        co_return;
    }
    stream = std::move(*updated);
    found({Verdict::changed, about, base::concat("changed: ", list_of(change.members))});
}

asio::awaitable<void> EngineCheck::look_at_streams() {
    nats::StreamConfig wanted_queue = queue_stream(names_, settings_.replicas);
    nats::StreamConfig wanted_records = record_stream(names_, settings_.replicas);
    if (settings_.replicas > 1 && usable_->client.server_info().cluster.empty()) {
        found({Verdict::wrong, "replicas",
               base::concat(settings_.replicas,
                            " replicas need a cluster, and this server is in none: leave "
                            "--engine-replicas out, or set up a cluster")});
        wanted_queue.replicas = wanted_records.replicas = 1;
    }
    co_await find(queue_, wanted_queue);
    co_await find(records_, wanted_records);
    std::size_t longest = usable_->client.server_info().max_payload;
    if (queue_ && records_ && mends_)
        for (const StreamChange& change : changes_for({*queue_, wanted_queue}, {*records_, wanted_records}))
            co_await mend(change.wanted.name == wanted_queue.name ? queue_ : records_, change);
    if (queue_ && records_)
        if (auto problem = problem_of({*queue_, wanted_queue}, {*records_, wanted_records}))
            found({Verdict::wrong, "streams", *problem});
    for (const auto& [stream, wanted] :
         {std::pair(&queue_, &wanted_queue), std::pair(&records_, &wanted_records)}) {
        if (!*stream) continue;
        longest = std::min(longest, longest_message(**stream, longest));
        found(stream_finding({**stream, *wanted}));
    }
    if (queue_ && records_)
        if (auto finding = replicas_finding(*queue_, usable_->client.server_info())) found(*finding);
    found(size_finding(longest));
}

asio::awaitable<void> EngineCheck::look_at_queues() {
    auto consumers = co_await usable_->jetstream.consumers(names_.queue_stream());
    if (consumers.has_value())
        found(queues_finding(*consumers, settings_.times.lease));
    else
        found({Verdict::wrong, "queues", consumers.error().message});
}

}  // namespace nats_engine
