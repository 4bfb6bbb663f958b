// The implementation of edge_shell::Engine: engine.cpp keeps the connection and what the pool needs on the
// server, beginning.cpp numbers a new stream of records, requests.cpp has what is answered, deliveries.cpp
// pulls and what becomes of deliveries, queues.cpp the queues, messages.cpp what edges say to each other and
// the notices, and asked_hosts.cpp what all edges are asked. Private to this library.
#pragma once

#include "edge_shell/engine.hpp"
#include "io/bell.hpp"
#include "io/task_group.hpp"
#include "nats/client.hpp"
#include "nats/jetstream.hpp"
#include "nats_engine/control.hpp"
#include "nats_engine/lag.hpp"
#include "nats_engine/names.hpp"
#include "nats_engine/nats_engine.hpp"
#include "nats_engine/pulls.hpp"
#include "nats_engine/streams.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace nats_engine {

class Engine final : public edge_shell::Engine {
  public:
    using OnPublished = std::function<void(edge::submitter_side::Published, std::string problem)>;

    Engine(boost::asio::any_io_executor executor, Settings settings);
    ~Engine() override;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    boost::asio::awaitable<void> run(Callbacks callbacks) override;
    std::size_t max_text_bytes() const override { return max_text_bytes_; }
    std::string name() const override;
    std::optional<std::chrono::microseconds> lag() const override;

    void write(const edge::Write& write, std::string text, std::function<void(edge::Written)> done) override;
    void look_up(const edge::LookUp& look_up, const edge::Queue& queue,
                 std::function<void(edge::LookedUp found, std::string text)> done) override;
    void ask(const edge::Ask& ask, std::function<void(edge::OwnerReplied)> done) override;
    void publish(const edge::submitter_side::Publish& publish, std::string body, OnPublished done) override;
    void remove(const edge::submitter_side::Remove& remove,
                std::function<void(edge::submitter_side::Removed)> done) override;
    void purge(const edge::submitter_side::Purge& purge,
               std::function<void(edge::submitter_side::Removed)> done) override;

    void search(const edge::Search& search, std::function<void(edge::Searched)> on_reply) override;
    void ask_all(Patience patience, std::function<void(std::vector<std::string> replies)> done) override;

    void pull(const edge::agent_side::Pull& pull) override;
    void end_pull(edge::PullId pull) override;
    void extend(const edge::agent_side::Extend& extend) override;
    void settle(const edge::Settle& settle) override;
    void join(const edge::submitter_side::Join& join) override;
    void notify(const edge::submitter_side::Notify& notify) override;
    void tell(const edge::TaskId& task, std::string_view text) override;
    void watch(const edge::TaskId& task) override;
    void unwatch(const edge::TaskId& task) override { watches_.erase(task); }

  private:
    template<class T>
    using Parse = base::Result<T> (*)(const nats::Message& reply);
    using TimePoint = std::chrono::steady_clock::time_point;
    template<class T>
    using Handler = std::function<void(base::Result<T> result)>;

    // engine.cpp
    void noticed(const nats::Notice& notice);
    void lost(const base::Error& error);
    void report(const base::Error& error);
    void tell_once(const std::string& key, const base::Error& error);
    void complain(const base::Error& error);
    boost::asio::awaitable<void> keep_prepared();
    boost::asio::awaitable<base::Result<void>> prepare();
    boost::asio::awaitable<base::Result<nats::StreamInfo>> find_stream(const nats::StreamConfig& wanted);
    boost::asio::awaitable<base::Result<nats::StreamInfo>> measured_info(std::string stream);
    boost::asio::awaitable<void> pause(std::chrono::milliseconds length);
    boost::asio::awaitable<void> look_again();
    void connected();

    // beginning.cpp
    boost::asio::awaitable<base::Result<void>> begin_versions(std::uint64_t first);
    boost::asio::awaitable<base::Result<bool>> have_begun(std::uint64_t first, int looks = 1);
    boost::asio::awaitable<base::Result<bool>> is_chosen(std::uint64_t first, std::uint64_t expected);
    boost::asio::awaitable<base::Result<void>> number_from(std::uint64_t first);

    // requests.cpp. A request has no answer if the connection is lost, or the store is gone; then the
    // connection is given up.
    void request(const nats::Outgoing& message, nats::Duration timeout, nats::Client::OnReply on_reply);
    template<class T>
    void call(const nats::Outgoing& message, Parse<T> parse, Handler<T> handler);
    template<class T>
    void call(const nats::ApiCall& call, Parse<T> parse, Handler<T> handler) {
        this->call<T>(nats::Outgoing{call.subject, call.body}, parse, std::move(handler));
    }
    void measured(Lag::Measurement measurement, boost::system::error_code problem);
    bool is_store_gone(const base::Error& error);
    void later(std::function<void()> action);
    std::optional<edge::Record> read(const edge::TaskId& task, std::string_view payload,
                                     edge::Version version, std::string& text);
    void see_queue(const edge::Queue& queue, edge::LookedUp found, std::string text, const OnLookedUp& done);
    void see_delivery(const edge::Delivery& delivery, edge::LookedUp found, std::string text,
                      const OnLookedUp& done);
    void publish_to(const std::string& consumer, const edge::submitter_side::Publish& publish,
                    std::string_view body, OnPublished done);
    void published(const edge::submitter_side::Publish& publish, const base::Result<nats::Stored>& stored,
                   const OnPublished& done);

    void note_storing(const base::Result<nats::Stored>& stored, std::optional<TimePoint>& told,
                      std::string_view what);

    // queues.cpp
    boost::asio::awaitable<base::Result<void>> read_queues();
    void take_queues(const std::vector<nats::ConsumerInfo>& consumers);
    void queues_changed();
    void create_queue(const edge::Queue& queue, std::function<void(bool is_there)> done);
    void queue_created(const edge::Queue& queue, const base::Result<nats::ConsumerInfo>& created);
    // Whether pulls of the queue wait, and it has nothing to deliver. Asks at most once a second.
    void look_at_queue(const edge::Queue& queue, std::function<void(bool has_nothing)> done);
    boost::asio::awaitable<void> update_leases();

    struct QueueLook {
        std::optional<TimePoint> seen;
        bool has_nothing = false;
        std::vector<std::function<void(bool has_nothing)>> waiting;
    };

    // deliveries.cpp
    void delivered(edge::PullId pull, const edge::Queue& queue, nats::Message message);
    void pull_ended(edge::PullId pull, const edge::Queue& queue, const base::Result<void>& result);
    boost::asio::awaitable<void> mend(edge::PullId pull, edge::Queue queue, base::Error why);
    void respond(const edge::Delivery& delivery, std::string_view text);

    // messages.cpp
    void subscribe_for_all_time();
    void subscribe(std::string subject, nats::Client::OnMessage on_message, bool is_needed);
    void controlled(const nats::Message& message);
    void sought(const std::string& to, Searching searching);
    void announce_queue();
    void record_changed(const edge::TaskId& task, const nats::Message& message);

    // asked_hosts.cpp
    struct Gathering;
    // `on_end`: when there was no reply for `silence`, at the latest after `longest`.
    void gather(const Control& question, std::chrono::nanoseconds longest, std::chrono::nanoseconds silence,
                std::function<void(std::string reply)> on_reply, std::function<void()> on_end);
    void wait_for_replies(std::uint64_t number);

    boost::asio::any_io_executor executor_;
    Settings settings_;
    Names names_;
    Callbacks callbacks_;
    bool is_over_ = false;
    nats::Client client_;
    nats::JetStream jetstream_;
    io::TaskGroup tasks_;
    io::Bell bell_;  // something has changed for keep_prepared()
    std::shared_ptr<int> life_ = std::make_shared<int>();

    std::string server_;  // of the connection, as "host:port"
    bool is_connected_ = false;
    std::uint64_t connection_ = 0;  // changes when one begins, and when one is lost
    Lag lag_;
    edge::StoreId store_;
    std::size_t max_text_bytes_;
    std::map<edge::Queue, std::string> queues_;          // with the names of their consumers
    std::map<edge::Queue, std::string> created_queues_;  // by this edge, since the list was last asked for
    std::map<edge::Queue, std::vector<std::function<void(bool is_there)>>> creating_;
    std::map<edge::Queue, QueueLook> looks_;
    std::vector<nats::ConsumerConfig> outdated_;  // consumers with another lease

    std::vector<nats::Subscription> subscriptions_;
    std::unordered_map<edge::TaskId, nats::Subscription> watches_;
    std::map<std::uint64_t, std::shared_ptr<Gathering>> gatherings_;
    std::uint64_t last_gathering_ = 0;
    Pulls pulls_;
    std::set<edge::PullId> failing_;          // pulls whose end is not reported yet
    std::optional<TimePoint> told_of_tasks_;  // when the log said that the server stores none
    std::optional<TimePoint> told_of_records_;
    std::set<std::string> reported_;  // since the last connection
    std::set<std::string> told_;      // in the log
};

}  // namespace nats_engine
