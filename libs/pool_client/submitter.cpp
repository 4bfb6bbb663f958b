#include "pool_client/submitter.hpp"

#include "base/text.hpp"
#include "pool_client/file_request.hpp"
#include "pool_client/submitter_impl.hpp"
#include "pool_protocol/session.hpp"
#include "pool_protocol/status.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <stdexcept>
#include <unordered_set>
#include <utility>

namespace pool_client {

namespace asio = boost::asio;
using namespace connection;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using pool_protocol::Answer;

namespace {

constexpr std::chrono::milliseconds flush_step{50};
constexpr std::chrono::milliseconds flush_time{1000};
constexpr const char* no_labels_known =
    "the pool's daemon does not know labels, so any agent might get the task: it is an older one, or the "
    "published one; serve the pool by a `troupe` of this version";

}  // namespace

Submitter::Impl::Waiter::Waiter(Impl& owner, OutgoingTask what)
    : impl(owner), task(std::move(what)), wake(owner.executor_, Clock::time_point::max()) {
    if (!impl.waiters_.emplace(task.id, this).second)
        throw std::logic_error(base::concat("the submission ", task.id.text(), " is open already"));
}

Submitter::Impl::Waiter::~Waiter() {
    if (!outcome) impl.feed(Withdrawn{task.id});
    impl.waiters_.erase(task.id);
    close_socket();
}

void Submitter::Impl::Waiter::end(base::Result<Answer> with) {
    outcome.emplace(std::move(with));
    wake.cancel();
}

void Submitter::Impl::Waiter::close_socket() {
    if (auto closing = std::exchange(own_socket, nullptr)) closing->close();
}

asio::awaitable<base::Result<Answer>> Submitter::Impl::submit(OutgoingTask task) {
    auto self = shared_from_this();
    Waiter waiter(*this, std::move(task));
    feed(Submitted{waiter.task.id});
    error_code ignored;
    while (!waiter.outcome) {
        if (waiter.asks_by_file)
            co_await ask_by_file(waiter);
        else
            co_await waiter.wake.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        auto cancellation = co_await asio::this_coro::cancellation_state;
        if (cancellation.cancelled() != asio::cancellation_type::none)
            throw boost::system::system_error(asio::error::operation_aborted);
    }
    co_return std::move(*waiter.outcome);
}

void Submitter::Impl::feed(Event event) {
    events_.push_back(std::move(event));
    if (is_feeding_) return;
    struct Feeding {
        explicit Feeding(bool& is_feeding) : flag(is_feeding) { flag = true; }
        ~Feeding() { flag = false; }
        bool& flag;
    } feeding(is_feeding_);
    while (!events_.empty()) {
        Event next = std::move(events_.front());
        events_.pop_front();
        for (const Action& action : apply(state_, next, Clock::now()))
            std::visit([this](const auto& what) { perform(what); }, action);
    }
    set_look_timer();
}

void Submitter::Impl::set_look_timer() {
    auto due = next_deadline(state_);
    if (std::exchange(look_time_, due) == due) return;
    if (!due) {
        look_timer_.cancel();
        return;
    }
    look_timer_.expires_at(*due);
    look_timer_.async_wait([weak = weak_from_this()](error_code ec) {
        auto self = weak.lock();
        if (ec || !self) return;
        self->look_time_.reset();
        self->feed(TimePassed{});
    });
}

void Submitter::Impl::perform(const Send& action) {
    Waiter& waiter = *waiters_.at(action.submission);
    if (is_published_ && !waiter.task.traits.labels.empty())
        return answer_arrived(waiter.task.id, pool_protocol::Invalid{no_labels_known});
    switch (action.route) {
        case Route::shared_connection:
            return send_shared(waiter);
        case Route::own_connections:
            return send_alone(waiter);
        case Route::files:
            waiter.asks_by_file = true;
            waiter.wake.cancel();
    }
}

void Submitter::Impl::perform(const SendWithdrawal& action) {
    shared_->send(pool_protocol::withdrawal(action.submission.text()));
}

void Submitter::Impl::perform(const Deliver& action) {
    const Waiter& waiter = *waiters_.at(action.submission);
    reported_unmatched_.erase(waiter.task.traits.labels);
    auto* refused = std::get_if<pool_protocol::Invalid>(&arrived_);
    if (refused && !waiter.task.traits.labels.empty() && pool_protocol::refuses_labels(refused->message))
        refused->message = no_labels_known;
    waiters_.at(action.submission)->end(std::move(arrived_));
}

void Submitter::Impl::perform(const Fail& action) {
    waiters_.at(action.submission)->end(last_error_);
}

void Submitter::Impl::perform(const ReportOutage& action) {
    if (!options_.on_outage) return;
    std::string why =
        action.outage == Outage::lost ? "the pool was stopped or its connection lost" : last_error_.message;
    auto seconds = std::chrono::duration_cast<std::chrono::seconds>(options_.pool_wait).count();
    options_.on_outage(base::concat(why, "; waiting up to ", seconds, " s for it"));
}

void Submitter::Impl::unmatched_arrived(const pool_protocol::Unmatched& unmatched) {
    auto waiter = waiters_.find(unmatched.id);
    if (waiter == waiters_.end() || !options_.on_unmatched) return;
    const base::Labels& labels = waiter->second->task.traits.labels;
    if (!reported_unmatched_.insert(labels).second) return;
    options_.on_unmatched(
        base::concat("a task waits, and no agent has ",
                     pool_protocol::missing_text(labels, unmatched.missing), " in the pool in ",
                     directory_.path, unmatched.away.empty() ? "" : "; of those that fit, ", unmatched.away));
}

void Submitter::Impl::activity_arrived(const pool_protocol::TaskActivity& told) {
    auto waiter = waiters_.find(told.id);
    if (waiter == waiters_.end()) return;
    const auto& on_activity = waiter->second->task.traits.on_activity;
    if (on_activity) on_activity(told);
}

void Submitter::Impl::withdraw_queued() {
    withdraw(unassigned(state_));
    if (shared_) shared_->send(pool_protocol::status_request());
}

// The status comes over the connection of the answers: those that the daemon gave before it are here.
void Submitter::Impl::status_arrived(const std::string& frame) {
    auto status = pool_protocol::parse_status(frame);
    if (!status) return io::log::warn(status.error().message);
    std::unordered_set<std::string> at_work;
    for (const pool_protocol::AgentStatus& agent : status->agents)
        at_work.insert(agent.submission);
    if (status->engine) at_work.insert(status->engine->elsewhere.begin(), status->engine->elsewhere.end());
    std::vector<SubmissionId> queued;
    for (const auto& [id, waiter] : waiters_)
        if (!waiter->outcome && !waiter->asks_by_file && !waiter->own_socket && !at_work.contains(id.text()))
            queued.push_back(id);
    withdraw(queued);
}

void Submitter::Impl::withdraw(const std::vector<SubmissionId>& submissions) {
    for (const SubmissionId& id : submissions) {
        feed(Withdrawn{id});
        waiters_.at(id)->end(base::Error{
            boost::system::errc::make_error_code(boost::system::errc::operation_canceled), "withdrawn"});
    }
}

asio::awaitable<void> Submitter::Impl::ask_by_file(Waiter& waiter) {
    FileRequest request(waiter.task.id.text(), to_json(whole_request(waiter.task, request_options())));
    auto answer = co_await pool_client::ask_by_file(watch_, directory_, std::move(request));
    waiter.asks_by_file = false;
    if (answer.has_value()) co_return answer_arrived(waiter.task.id, std::move(*answer));
    last_error_ = answer.error();
    feed(FileFailed{waiter.task.id});
}

void Submitter::Impl::answer_arrived(const std::optional<SubmissionId>& id, Answer answer) {
    bool is_stopped = std::holds_alternative<pool_protocol::Stopped>(answer);
    arrived_ = std::move(answer);
    feed(Answered{id, is_stopped});
}

asio::awaitable<void> Submitter::Impl::shutdown() {
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    asio::steady_timer timer(executor_);
    auto deadline = Clock::now() + flush_time;
    while (shared_ && shared_->has_output() && Clock::now() < deadline) {
        timer.expires_after(flush_step);
        co_await timer.async_wait(asio::use_awaitable);
    }
    if (shared_) shared_->close();
    daemon_end_.reset();
}

Submitter::Submitter(asio::any_io_executor executor, io::DirectoryWatch& watch,
                     pool_protocol::PoolDirectory directory, SubmitterOptions options)
    : impl_(std::make_shared<Impl>(executor, watch, std::move(directory), std::move(options))) {}

Submitter::~Submitter() = default;

asio::awaitable<base::Result<Answer>> Submitter::submit(SubmissionId id, base::SplicedText content,
                                                        SubmitTraits traits) {
    return impl_->submit(OutgoingTask(std::move(id), std::move(content), std::move(traits)));
}

asio::awaitable<base::Result<Answer>> Submitter::submit_file(SubmissionId id, std::string path,
                                                             SubmitTraits traits) {
    pool_protocol::FileReference file{std::move(path)};
    return impl_->submit(OutgoingTask(std::move(id), std::move(file), std::move(traits)));
}

void Submitter::withdraw_queued() {
    impl_->withdraw_queued();
}

bool Submitter::is_connected() const {
    return impl_->is_connected();
}

asio::awaitable<void> Submitter::shutdown() {
    return impl_->shutdown();
}

}  // namespace pool_client
