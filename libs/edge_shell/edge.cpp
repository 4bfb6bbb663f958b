#include "edge_shell/edge.hpp"

#include "edge_shell/clock.hpp"
#include "io/internal_error.hpp"
#include "io/log.hpp"
#include "pool_protocol/daemon_end.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <random>

namespace edge_shell {

namespace agent_side = edge::agent_side;
namespace asio = boost::asio;
namespace submitter_side = edge::submitter_side;

namespace {

// The time that the submitters of an earlier process have to come back.
constexpr std::chrono::seconds absence{60};

std::uint64_t random_number() {
    std::random_device source;
    return std::uint64_t{source()} << 32 | source();
}

}  // namespace

base::Result<std::unique_ptr<Edge>> Edge::open(asio::any_io_executor executor, const io::Directory& directory,
                                               edge::EdgeId self, edge::Times times,
                                               std::unique_ptr<Engine> engine, Callbacks callbacks) {
    auto journal = Journal::open(directory, journal_name);
    if (journal.has_error()) return journal.error();
    std::unique_ptr<Edge> edge(new Edge(executor, std::move(self), times, std::move(engine),
                                        std::move(*journal), std::move(callbacks)));
    if (auto recovered = edge->recover(); recovered.has_error()) return recovered.error();
    return edge;
}

Edge::Edge(asio::any_io_executor executor, edge::EdgeId self, edge::Times times,
           std::unique_ptr<Engine> engine, Journal journal, Callbacks callbacks)
    : executor_(executor),
      self_(std::move(self)),
      engine_(std::move(engine)),
      journal_(std::move(journal)),
      callbacks_(std::move(callbacks)),
      agents_(std::make_unique<AgentTasks>(
          *engine_, journal_, agent_side::Config{self_, random_number(), times}, agent_callbacks())),
      submitters_(std::make_unique<SubmitterTasks>(
          *engine_, journal_, submitter_side::Config{self_, random_number(), times}, submitter_callbacks())),
      timer_(executor),
      drained_(executor, std::chrono::steady_clock::time_point::max()),
      tasks_(executor, io::end_process) {}

Edge::~Edge() = default;

base::Result<void> Edge::recover() {
    edge::Time now = edge_now();
    if (auto recovered = agents_->recover(now); recovered.has_error()) return recovered;
    if (auto recovered = submitters_->recover(now); recovered.has_error()) return recovered;
    if (!submitters_->absent().empty()) absence_ends_ = now + absence;
    return {};
}

Engine::Callbacks Edge::engine_callbacks() {
    Engine::Callbacks callbacks;
    callbacks.on_connected = [this](edge::StoreId store) { connected(store); };
    callbacks.on_disconnected = [this](const base::Error& why) { disconnected(why); };
    callbacks.on_queues = [this](std::vector<edge::Queue> queues) {
        push(agent_side::Event(agent_side::Queues{std::move(queues)}));
    };
    callbacks.on_delivered = [this](Engine::Delivered delivered) {
        agents_->delivered(std::move(delivered));
    };
    callbacks.on_pull_ended = [this](edge::PullId pull) {
        push(agent_side::Event(agent_side::PullEnded{pull}));
    };
    callbacks.on_asked = [this](Engine::Question question) { agents_->asked(std::move(question)); };
    callbacks.on_sought = [this](const Engine::Seeking& seeking) {
        if (!seeking.for_submitters) agents_->sought(seeking);
        submitters_->sought(seeking);
    };
    callbacks.on_joined = [this](const TaskId& task) {
        push(SubmitterEvent{submitter_side::Joined{task}, {}});
    };
    callbacks.on_check = [this](const TaskId& task) { push(agent_side::Event(agent_side::Check{task})); };
    callbacks.on_asked_all = [this] { return to_json(callbacks_.host_status()); };
    callbacks.on_noticed = [this](const TaskId& task, const edge::Record& record, std::string text) {
        push(SubmitterEvent{submitter_side::Noticed{task, record}, std::move(text)});
    };
    callbacks.on_told = [this](std::string text) { callbacks_.on_activity(std::move(text)); };
    return callbacks;
}

AgentTasks::Callbacks Edge::agent_callbacks() {
    return {[this](const Assignment& assignment) { callbacks_.on_assign(assignment); },
            [this](const TaskId& task, bool wants_end) { callbacks_.on_recall(task, wants_end); },
            [this](agent_side::Event event) { push(std::move(event)); }};
}

SubmitterTasks::Callbacks Edge::submitter_callbacks() {
    return {[this](const TaskId& task) { return callbacks_.work_of(task); },
            [this](const TaskId& task, pool_protocol::Answer answer) {
                callbacks_.on_answer(task, std::move(answer));
            },
            [this](std::string frame) { callbacks_.on_left(std::move(frame)); },
            [this](submitter_side::Event event, std::string text) {
                push(SubmitterEvent{std::move(event), std::move(text)});
            }};
}

void Edge::start() {
    tasks_.spawn("engine", engine_->run(engine_callbacks()));
    pump();
}

void Edge::drain() {
    push(agent_side::Event(agent_side::Draining{}));
}

asio::awaitable<void> Edge::stop(std::chrono::milliseconds patience) {
    drain();
    auto end = std::chrono::steady_clock::now() + patience;
    boost::system::error_code ignored;
    while (connection_.is_up && !agent_side::is_drained(agents_->state()) &&
           std::chrono::steady_clock::now() < end) {
        drained_.expires_at(end);
        co_await drained_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    if (std::size_t kept = kept_answers(); kept > 0) io::log::warn(pool_protocol::kept_answers_warning(kept));
    timer_.cancel();
    tasks_.cancel();
    co_await tasks_.join();
    save();
}

void Edge::connected(edge::StoreId store) {
    connection_ = {true, std::chrono::system_clock::now(), {}};
    io::log::info("connected with the engine at ", engine_->name(), " as ", self_);
    push(agent_side::Event(agent_side::Connected{store}));
    push(SubmitterEvent{submitter_side::Connected{store}, {}});
    if (!std::exchange(has_asked_for_twins_, true)) ask_hosts(Engine::Patience::full, [](const auto&) {});
}

// The machines are told once for each time that the connection is lost.
void Edge::disconnected(const base::Error& why) {
    bool was_up = std::exchange(connection_.is_up, false);
    if (was_up || connection_.problem != why.message)
        io::log::warn(why.message, was_up ? "; agents go on with what they have, and answers are kept" : "");
    if (was_up) connection_.since = std::chrono::system_clock::now();
    connection_.problem = why.message;
    if (!was_up) return;
    drained_.cancel();
    push(agent_side::Event(agent_side::Disconnected{}));
    push(SubmitterEvent{submitter_side::Disconnected{}, {}});
}

void Edge::submitted(const TaskId& task, const edge::Queue& queue) {
    push(SubmitterEvent{submitter_side::Submitted{task, queue}, {}});
}

void Edge::withdrawn(const TaskId& task) {
    push(SubmitterEvent{submitter_side::Withdrawn{task}, {}});
}

// The answer is on the disk before the agent's response is removed; if the disk does not accept it, it is
// tried again.
void Edge::answered(const TaskId& task, pool_protocol::Answer answer) {
    agents_->answered(task, std::move(answer));
    save();
}

void Edge::unassigned(const TaskId& task, edge::Setbacks setbacks) {
    events_.emplace_back(agent_side::Event(agent_side::Unassigned{task, setbacks}));
    pump();
}

void Edge::note_ending(const TaskId& task, const std::string& agent) {
    agents_->note_ending(task, agent);
    save();
}

void Edge::ended(const TaskId& task) {
    push(agent_side::Event(agent_side::Ended{task}));
}

void Edge::tell_activity(const TaskId& task, std::string text, bool at_once) {
    if (at_once) agents_->note_left(task, text);
    const Work* work = agents_->work(task);
    if (work == nullptr || !work->wants_activity) return;
    activity_.put(task, std::move(text));
    if (edge::Time now = edge_now(); at_once || *activity_.due() <= now)
        send_activity(now);
    else
        arm();
}

void Edge::send_activity(edge::Time now) {
    for (const auto& [task, text] : activity_.take(now))
        engine_->tell(task, text);
}

void Edge::idle_changed() {
    idle_is_stale_ = true;
    pump_soon();
}

}  // namespace edge_shell
