#include "pool_client/submitter.hpp"

#include "base/text.hpp"
#include "io/framed_socket.hpp"
#include "io/log.hpp"
#include "pool_client/file_events.hpp"
#include "pool_client/pool_wait.hpp"
#include "pool_client/staged_request.hpp"
#include "pool_protocol/names.hpp"
#include "pool_protocol/session.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace pool_client {

namespace asio = boost::asio;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using pool_protocol::Answer;
using pool_protocol::file_name;
using pool_protocol::FileKind;

namespace {

constexpr std::chrono::milliseconds look_again{50};
constexpr std::chrono::milliseconds flush_time{1000};
constexpr std::size_t no_limit = std::numeric_limits<std::ptrdiff_t>::max();

// A submission that waits for its answer on a socket.
struct Pending {
    explicit Pending(asio::any_io_executor executor) : wake(executor, Clock::time_point::max()) {}

    void settle() {
        settled = true;
        wake.cancel();
    }

    asio::steady_timer wake;
    std::optional<Answer> answer;  // none when settled: the connection was lost
    std::size_t size = 0;          // of the request
    bool settled = false;
};

bool may_come_back(const error_code& code) {
    return code == boost::system::errc::no_such_file_or_directory ||
           code == boost::system::errc::connection_refused ||
           code == boost::system::errc::resource_unavailable_try_again;
}

void throw_if_cancelled(const asio::cancellation_state& state) {
    if (state.cancelled() != asio::cancellation_type::none)
        throw boost::system::system_error(asio::error::operation_aborted);
}

}  // namespace

class Submitter::Impl : public std::enable_shared_from_this<Impl> {
  public:
    Impl(asio::any_io_executor executor, io::DirectoryWatch& watch, pool_protocol::PoolDirectory directory,
         SubmitterOptions options)
        : executor_(executor),
          watch_(watch),
          directory_(std::move(directory)),
          options_(std::move(options)),
          connected_(executor, Clock::time_point::max()) {}

    asio::awaitable<base::Result<Answer>> submit(OutgoingTask what);
    asio::awaitable<void> shutdown();
    bool is_connected() const { return way_ != Way::none; }

  private:
    // How the daemon is spoken to, found out anew after each outage.
    enum class Way {
        none,
        multiplexed,    // one connection, answers with ids
        one_at_a_time,  // a published daemon: a connection for each submission
        files,
    };

    asio::awaitable<base::Result<void>> connect();
    asio::awaitable<base::Result<void>> try_to_connect();
    base::Result<Way> open_way(const io::Directory& pool);
    void outage(const std::string& why);
    std::shared_ptr<io::FramedSocket> open_socket(io::UniqueFd socket, io::FramedSocket::Callbacks callbacks);
    RequestWishes wishes() const;
    using PendingMap = std::unordered_map<std::string, std::shared_ptr<Pending>>;
    PendingMap::iterator largest_pending();
    void answer_arrived(const std::string& frame);
    void connection_lost();

    using SharedTask = std::shared_ptr<const OutgoingTask>;
    asio::awaitable<std::optional<Answer>> ask(SharedTask what);
    asio::awaitable<std::optional<Answer>> ask_multiplexed(SharedTask what);
    asio::awaitable<std::optional<Answer>> ask_alone(SharedTask what);
    asio::awaitable<base::Result<Answer>> ask_by_file(SharedTask what);

    asio::any_io_executor executor_;
    io::DirectoryWatch& watch_;
    pool_protocol::PoolDirectory directory_;
    SubmitterOptions options_;
    Way way_ = Way::none;
    std::shared_ptr<io::FramedSocket> link_;  // multiplexed only
    PendingMap pending_;
    asio::steady_timer connected_;  // cancelled when an attempt to connect is over
    bool connecting_ = false;
    std::uint64_t attempts_ = 0;
    std::uint64_t connections_ = 0;  // attempts that succeeded
    std::optional<base::Error> attempt_error_;
    bool outage_reported_ = false;
};

asio::awaitable<base::Result<Answer>> Submitter::Impl::submit(OutgoingTask asked) {
    auto what = std::make_shared<const OutgoingTask>(std::move(asked));
    while (true) {
        auto ready = co_await connect();
        if (ready.has_error()) co_return ready.error();
        std::uint64_t connection = connections_;
        if (way_ == Way::files) {
            auto answer = co_await ask_by_file(what);
            if (answer.has_error() || answer->kind != Answer::Kind::stopped || !options_.outlive_pool)
                co_return answer;
        } else {
            auto answer = co_await ask(what);
            if (answer && (answer->kind != Answer::Kind::stopped || !options_.outlive_pool))
                co_return *answer;
        }
        // Who was on the same connection and hears of its end later has nothing new to tell.
        if (connection == connections_) outage("the pool was stopped or its connection lost");
    }
}

// The first that finds no connection makes one; the others wait for how that ends.
asio::awaitable<base::Result<void>> Submitter::Impl::connect() {
    while (way_ == Way::none) {
        if (!connecting_) co_return co_await try_to_connect();
        std::uint64_t attempt = attempts_;
        error_code ignored;
        co_await connected_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        throw_if_cancelled(co_await asio::this_coro::cancellation_state);
        if (attempts_ != attempt && attempt_error_) co_return *attempt_error_;
    }
    co_return base::Result<void>();
}

asio::awaitable<base::Result<void>> Submitter::Impl::try_to_connect() {
    struct Attempt {
        explicit Attempt(Impl& owner) : impl(owner) { impl.connecting_ = true; }
        ~Attempt() {
            impl.connecting_ = false;
            ++impl.attempts_;
            impl.connected_.cancel();
        }
        Impl& impl;
    } attempt(*this);
    attempt_error_.reset();
    auto deadline = Clock::now() + options_.pool_wait;
    asio::steady_timer timer(executor_);
    while (true) {
        auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        bool last_try = left.count() <= 0;
        // The first look waits for nothing, so that an outage is told of before it is sat out.
        auto pool =
            co_await wait_for_pool(directory_, outage_reported_ ? left : std::chrono::milliseconds(0));
        base::Error error;
        if (pool.has_value()) {
            auto way = open_way(*pool);
            if (way.has_value()) {
                way_ = *way;
                ++connections_;
                outage_reported_ = false;
                co_return base::Result<void>();
            }
            error = way.error();
        } else {
            error = pool.error();
        }
        bool temporary = may_come_back(error.code) || error.code == boost::system::errc::host_unreachable;
        if (last_try || !temporary) {
            error.code = boost::system::errc::make_error_code(boost::system::errc::host_unreachable);
            attempt_error_ = error;
            co_return error;
        }
        outage(error.message);
        timer.expires_after(look_again);
        co_await timer.async_wait(asio::use_awaitable);
    }
}

base::Result<Submitter::Impl::Way> Submitter::Impl::open_way(const io::Directory& pool) {
    if (options_.transport == Transport::file) return Way::files;
    auto socket = io::connect_local(pool, pool_protocol::socket_name);
    if (socket.has_error()) {
        if (options_.transport == Transport::socket || !io::is_denied(socket.error())) return socket.error();
        io::log::debug(socket.error().message, "; going on by files");
        return Way::files;
    }
    // A published daemon has written `ready` into its status file, and answers one request a connection.
    auto status = pool.read(pool_protocol::status_name, 64);
    if (status.has_value() && status->starts_with("ready")) return Way::one_at_a_time;
    std::weak_ptr<Impl> weak = weak_from_this();
    io::FramedSocket::Callbacks callbacks;
    callbacks.on_frame = [weak](const std::shared_ptr<io::FramedSocket>&, std::string frame) {
        if (auto self = weak.lock()) self->answer_arrived(frame);
    };
    callbacks.on_gone = [weak](const std::shared_ptr<io::FramedSocket>&, io::FramedSocket::Payloads) {
        if (auto self = weak.lock()) self->connection_lost();
    };
    link_ = open_socket(std::move(*socket), std::move(callbacks));
    return Way::multiplexed;
}

std::shared_ptr<io::FramedSocket> Submitter::Impl::open_socket(io::UniqueFd socket,
                                                               io::FramedSocket::Callbacks callbacks) {
    callbacks.on_bad_frame = [](const std::shared_ptr<io::FramedSocket>& connection, std::string problem) {
        io::log::warn("the daemon sent something that is no answer: ", problem);
        connection->close();
    };
    io::LocalSocket connected(executor_, asio::local::stream_protocol(), socket.release());
    io::FramedSocket::Limits limits{no_limit, std::nullopt, std::nullopt};
    auto framed = std::make_shared<io::FramedSocket>(std::move(connected), limits, std::move(callbacks));
    framed->start();
    return framed;
}

void Submitter::Impl::outage(const std::string& why) {
    if (std::exchange(outage_reported_, true) || !options_.on_outage) return;
    auto seconds = std::chrono::duration_cast<std::chrono::seconds>(options_.pool_wait).count();
    options_.on_outage(base::concat(why, "; waiting up to ", seconds, " s for it"));
}

RequestWishes Submitter::Impl::wishes() const {
    return {true, static_cast<bool>(options_.on_host_request)};
}

void Submitter::Impl::answer_arrived(const std::string& frame) {
    if (pool_protocol::is_host_request(frame) && options_.on_host_request) return options_.on_host_request();
    auto answered = pool_protocol::parse_answer(frame);
    if (answered.has_error()) return io::log::warn(answered.error().message);
    auto found = answered->id ? pending_.find(*answered->id) : largest_pending();
    if (found == pending_.end()) return io::log::debug("an answer came that nobody waits for");
    found->second->answer = std::move(answered->answer);
    found->second->settle();
}

// Whom an answer without an id is for: the daemon has not read a request that is over its cap, and names
// none.
Submitter::Impl::PendingMap::iterator Submitter::Impl::largest_pending() {
    return std::max_element(pending_.begin(), pending_.end(),
                            [](const auto& a, const auto& b) { return a.second->size < b.second->size; });
}

void Submitter::Impl::connection_lost() {
    link_.reset();
    way_ = Way::none;
    for (const auto& [id, waiting] : pending_)
        waiting->settle();
}

asio::awaitable<std::optional<Answer>> Submitter::Impl::ask(SharedTask what) {
    if (way_ == Way::multiplexed) return ask_multiplexed(std::move(what));
    return ask_alone(std::move(what));
}

asio::awaitable<std::optional<Answer>> Submitter::Impl::ask_multiplexed(SharedTask what) {
    std::string id = what->id;
    auto waiting = std::make_shared<Pending>(executor_);
    pending_[id] = waiting;
    StagedRequest staged(directory_, *what, id, wishes());
    std::string frame = staged.take_json();
    waiting->size = frame.size();
    link_->send(std::move(frame));
    error_code ignored;
    if (!waiting->settled)
        co_await waiting->wake.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    pending_.erase(id);
    if (!waiting->settled && link_) link_->send(pool_protocol::withdrawal(id));
    throw_if_cancelled(co_await asio::this_coro::cancellation_state);
    co_return std::move(waiting->answer);
}

// Closing the connection withdraws the submission.
asio::awaitable<std::optional<Answer>> Submitter::Impl::ask_alone(SharedTask what) {
    auto socket = io::connect_local(directory_.path, pool_protocol::socket_name);
    if (socket.has_error()) {
        way_ = Way::none;
        co_return std::nullopt;
    }
    auto waiting = std::make_shared<Pending>(executor_);
    io::FramedSocket::Callbacks callbacks;
    callbacks.on_frame = [waiting](const std::shared_ptr<io::FramedSocket>&, std::string frame) {
        auto answered = pool_protocol::parse_answer(frame);
        if (answered.has_value()) waiting->answer = std::move(answered->answer);
        waiting->settle();
    };
    callbacks.on_gone = [waiting](const std::shared_ptr<io::FramedSocket>&, io::FramedSocket::Payloads) {
        waiting->settle();
    };
    struct Closing {
        std::shared_ptr<io::FramedSocket> connection;
        ~Closing() { connection->close(); }
    } closing{open_socket(std::move(*socket), std::move(callbacks))};
    StagedRequest staged(directory_, *what, std::nullopt, {});
    closing.connection->send(staged.take_json());
    error_code ignored;
    if (!waiting->settled)
        co_await waiting->wake.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    throw_if_cancelled(co_await asio::this_coro::cancellation_state);
    if (!waiting->answer) way_ = Way::none;
    co_return std::move(waiting->answer);
}

asio::awaitable<base::Result<Answer>> Submitter::Impl::ask_by_file(SharedTask what) {
    std::string id = what->id;
    std::string request_name(file_name(id, FileKind::request));
    std::string response_name(file_name(id, FileKind::response));
    auto submissions = io::Directory::open(directory_.submissions());
    if (submissions.has_error()) co_return submissions.error();
    auto scratch = io::Directory::open(directory_.scratch());
    if (scratch.has_error()) co_return scratch.error();
    struct Withdrawal {  // the request goes with whoever waits for it, however that ends
        const io::Directory& directory;
        const std::string& name;
        ~Withdrawal() { (void)directory.remove(name); }
    } withdrawal{*submissions, request_name};
    std::vector<std::string> names{response_name};
    FileEvents events(executor_, watch_, directory_.submissions(), std::move(names));
    auto written = submissions->write(*scratch, request_name, to_json(whole_request(*what, wishes())));
    if (written.has_error()) co_return written.error();
    while (true) {
        auto text = submissions->read(response_name, no_limit);
        if (text.has_value() && !text->empty()) {
            // The request first: alone, it would be one that was never answered.
            (void)submissions->remove(request_name);
            (void)submissions->remove(response_name);
            auto answered = pool_protocol::parse_answer(*text);
            if (answered.has_error()) co_return answered.error();
            co_return std::move(answered->answer);
        }
        co_await events.next();
    }
}

asio::awaitable<void> Submitter::Impl::shutdown() {
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    asio::steady_timer timer(executor_);
    auto deadline = Clock::now() + flush_time;
    while (link_ && link_->has_output() && Clock::now() < deadline) {
        timer.expires_after(look_again);
        co_await timer.async_wait(asio::use_awaitable);
    }
    if (link_) link_->close();
}

Submitter::Submitter(asio::any_io_executor executor, io::DirectoryWatch& watch,
                     pool_protocol::PoolDirectory directory, SubmitterOptions options)
    : impl_(std::make_shared<Impl>(executor, watch, std::move(directory), std::move(options))) {}

Submitter::~Submitter() = default;

asio::awaitable<base::Result<Answer>> Submitter::submit(std::string id, base::SplicedText content) {
    return impl_->submit(OutgoingTask(std::move(id), std::move(content)));
}

asio::awaitable<base::Result<Answer>> Submitter::submit_file(std::string id, std::string path) {
    return impl_->submit(OutgoingTask(std::move(id), pool_protocol::FileReference{std::move(path)}));
}

bool Submitter::is_connected() const {
    return impl_->is_connected();
}

asio::awaitable<void> Submitter::shutdown() {
    return impl_->shutdown();
}

}  // namespace pool_client
