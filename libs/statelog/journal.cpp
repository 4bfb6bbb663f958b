#include "statelog/journal.hpp"

#include "base/text.hpp"
#include "io/thread.hpp"

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace statelog {

namespace asio = boost::asio;
using std::chrono::steady_clock;

namespace {

constexpr std::chrono::seconds sync_interval{1};

// The next work of the thread: an append, or its end. Not an aggregate, because it is passed to a coroutine.
struct Job {
    Job() : last(true) {}
    explicit Job(std::string text) : lines(std::move(text)) {}

    std::string lines;
    bool last = false;
};

}  // namespace

// Lives until the last function that it has posted has run. The file is used by the thread only; `done_` and
// `failure_` by the event loop only. They communicate by a job, protected by the mutex, and by a posted
// function for the result.
class Journal::Writer : public std::enable_shared_from_this<Writer> {
  public:
    Writer(asio::any_io_executor executor, LogFile file, Fsync policy,
           std::function<void(base::Error)> on_failure)
        : executor_(std::move(executor)),
          on_failure_(std::move(on_failure)),
          file_(std::move(file)),
          policy_(policy) {}

    void start();
    void stop();

    // `done` gets the result through the executor, never within this call.
    void submit(Job job, std::function<void(base::Result<void>)> done);

    asio::any_io_executor executor() const { return executor_; }

  private:
    void finish(const base::Result<void>& result, bool last);
    void failed_in_background(const base::Error& error);

    void run();
    void wait_for_something(std::unique_lock<std::mutex>& lock);
    base::Result<void> carry_out(const Job& job);
    void sync_if_due();

    asio::any_io_executor executor_;
    std::function<void(base::Error)> on_failure_;
    std::function<void(base::Result<void>)> done_;  // of the current job
    std::optional<base::Error> failure_;            // the first one that was reported to the event loop
    bool closed_ = false;
    std::thread thread_;

    LogFile file_;
    const Fsync policy_;
    std::optional<steady_clock::time_point> sync_due_;  // set while there is data to sync

    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<Job> job_;
    bool stopping_ = false;
};

void Journal::Writer::start() {
    try {
        thread_ = io::thread_without_signals([this] { run(); });
    } catch (const std::system_error& error) {
        failure_ = base::system_error(
            base::concat("cannot start the thread that writes the state log ", file_.path()),
            error.code().value());
    }
}

void Journal::Writer::stop() {
    on_failure_ = nullptr;  // posted functions may run when the journal's owner no longer exists
    if (!thread_.joinable()) return;
    {
        std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void Journal::Writer::submit(Job job, std::function<void(base::Result<void>)> done) {
    if (done_) throw std::logic_error("a commit before the last one has returned");
    if (closed_ && !job.last) throw std::logic_error("a commit after the journal was closed");
    done_ = std::move(done);
    if (!thread_.joinable() || (failure_ && !job.last)) {
        asio::post(executor_, [self = shared_from_this()] { self->finish({}, false); });
        return;
    }
    closed_ = job.last;
    {
        std::lock_guard lock(mutex_);
        job_ = std::move(job);
    }
    changed_.notify_one();
}

void Journal::Writer::finish(const base::Result<void>& result, bool last) {
    if (last) thread_.join();  // it has nothing left to do
    if (result.has_error() && !failure_) failure_ = result.error();
    auto done = std::exchange(done_, nullptr);
    done(failure_ ? base::Result<void>(*failure_) : base::Result<void>());
}

void Journal::Writer::failed_in_background(const base::Error& error) {
    failure_ = error;
    if (!done_ && on_failure_) on_failure_(error);  // otherwise the current job reports it
}

void Journal::Writer::run() {
    bool last = false;
    while (!last) {
        std::unique_lock lock(mutex_);
        wait_for_something(lock);
        std::optional<Job> job = std::exchange(job_, std::nullopt);
        if (!job && stopping_) return;
        lock.unlock();
        if (job) {
            last = job->last;
            asio::post(executor_, [self = shared_from_this(), result = carry_out(*job), last] {
                self->finish(result, last);
            });
        }
        sync_if_due();
    }
}

void Journal::Writer::wait_for_something(std::unique_lock<std::mutex>& lock) {
    auto is_there = [this] { return job_ || stopping_; };
    if (sync_due_)
        changed_.wait_until(lock, *sync_due_, is_there);
    else
        changed_.wait(lock, is_there);
}

base::Result<void> Journal::Writer::carry_out(const Job& job) {
    if (job.last) return std::exchange(sync_due_, std::nullopt) ? file_.sync() : base::Result<void>();
    auto appended = file_.append(job.lines);
    if (appended.has_error()) sync_due_.reset();  // a sync in the background would only fail again
    if (appended.has_error() || policy_ == Fsync::never) return appended;
    if (policy_ == Fsync::always) return file_.sync();
    if (!sync_due_) sync_due_ = steady_clock::now() + sync_interval;
    return {};
}

void Journal::Writer::sync_if_due() {
    if (!sync_due_ || steady_clock::now() < *sync_due_) return;
    sync_due_.reset();
    auto synced = file_.sync();
    if (synced.has_error())
        asio::post(executor_, [self = shared_from_this(), error = synced.error()] {
            self->failed_in_background(error);
        });
}

namespace {

// Resumes the coroutine on its executor. The pending wait counts as work of the executor, because of
// co_spawn.
template<class Handler>
std::function<void(base::Result<void>)> resumption(Handler handler, const asio::any_io_executor& executor) {
    auto shared = std::make_shared<Handler>(std::move(handler));
    return [shared, executor](const base::Result<void>& result) {
        auto where = asio::get_associated_executor(*shared, executor);
        asio::dispatch(where, [shared, result] { std::move (*shared)(result); });
    };
}

// The handler's cancellation slot is not used, so a cancellation has no effect.
template<class Writer>
asio::awaitable<base::Result<void>> submit(std::shared_ptr<Writer> writer, Job job) {
    auto initiation = [](auto handler, std::shared_ptr<Writer> to, Job what) {
        to->submit(std::move(what), resumption(std::move(handler), to->executor()));
    };
    asio::use_awaitable_t<> token;
    return asio::async_initiate<asio::use_awaitable_t<>, void(base::Result<void>)>(
        initiation, token, std::move(writer), std::move(job));
}

}  // namespace

Journal::Journal(asio::any_io_executor executor, LogFile file, Fsync policy,
                 std::function<void(base::Error)> on_failure)
    : writer_(std::make_shared<Writer>(std::move(executor), std::move(file), policy, std::move(on_failure))) {
    writer_->start();
}

Journal::~Journal() {
    writer_->stop();
}

asio::awaitable<base::Result<void>> Journal::commit(std::string lines) {
    return submit(writer_, Job(std::move(lines)));
}

asio::awaitable<base::Result<void>> Journal::close() {
    return submit(writer_, Job());
}

}  // namespace statelog
