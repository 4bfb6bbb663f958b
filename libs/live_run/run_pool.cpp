#include "live_run/run_pool.hpp"

#include "base/checksum.hpp"
#include "base/text.hpp"
#include "io/log.hpp"
#include "pool_daemon/without_engine.hpp"
#include "pool_protocol/names.hpp"
#include "version/program_version.hpp"

#include <utility>

namespace live_run {

namespace asio = boost::asio;
namespace log = io::log;

namespace {

constexpr std::chrono::seconds same_outage{1};

}  // namespace

// Another program's log may have any text for its run's id.
pool_protocol::PoolDirectory own_pool(const std::string& root, const std::string& run_id) {
    std::string name = base::concat(pool_protocol::run_pool_prefix, run_id);
    if (!pool_protocol::is_pool_id(name))
        name = base::concat(pool_protocol::run_pool_prefix, base::checksum(run_id));
    return pool_protocol::locate(root, name).value();
}

RunPool::RunPool(asio::any_io_executor executor, io::DirectoryWatch& watch, const launch::RunOptions& options,
                 pool_protocol::PoolDirectory directory, const std::string& run_id, std::string state_log)
    : executor_(std::move(executor)),
      watch_(watch),
      options_(options),
      directory_(std::move(directory)),
      run_id_(run_id),
      state_log_(std::move(state_log)) {}

bool RunPool::open() {
    if (!(options_.has_own_pool() ? open_own() : open_shared())) return false;
    submitter_.emplace(executor_, watch_, directory_, submitter_options());
    return true;
}

void RunPool::make_host() {
    pool_daemon::PoolHost::Settings settings;
    settings.directory = directory_;
    settings.version = version::program_version;
    settings.is_private = options_.has_own_pool();
    if (settings.is_private) settings.owner = state_log_;
    settings.is_connected = [this] { return submitter_ && submitter_->is_connected(); };
    host_.emplace(executor_, watch_, std::move(settings));
}

// A resumed run uses the pool of the run that began the log, and so finds what its agents have done; or a
// pool named after itself, if somebody else has resumed that run, too.
bool RunPool::open_own() {
    make_host();
    Start started = host_->start();
    if (started != Start::taken) return started == Start::hosting;
    directory_ = own_pool(options_.root, run_id_);
    make_host();
    return host_->start() == Start::hosting;
}

bool RunPool::open_shared() {
    make_host();
    if (pool_daemon::is_served(directory_)) {
        log::info("using the pool daemon at ", directory_.path,
                  !options_.agents.empty()
                      ? "; this run's agents also do tasks of others there, and agents of "
                        "others do tasks of this run"
                      : "");
        return true;
    }
    const bool is_over_many_hosts = pool_daemon::is_over_many_hosts(directory_);
    if (options_.embedded_pool && !is_over_many_hosts) return host_->start() != Start::failed;
    if (options_.embedded_pool)
        log::warn("the pool at ", directory_.path,
                  " is a part of one over many hosts, so this run does not host it, and waits for its "
                  "daemon; start that as before, with `troupe start ",
                  pool_protocol::options_of(directory_), " --engine …`");
    else
        log::info("waiting for a pool daemon at ", directory_.path);
    return true;
}

pool_client::SubmitterOptions RunPool::submitter_options() {
    pool_client::SubmitterOptions options;
    options.pool_wait = options_.pool_wait;
    options.on_outage = [this](const std::string& message) {
        report_outage(message);
        if (options_.embedded_pool) host_->take_over_later();
    };
    // The daemon of a pool that this run hosts has written it to the same log.
    options.on_unmatched = [this](const std::string& message) {
        if (!is_hosted()) log::warn(message);
        if (on_unmatched) on_unmatched(message);
    };
    if (options_.embedded_pool && !options_.has_own_pool())
        options.on_host_request = [this] { host_->take_over_now(); };
    options.outlive_pool = true;
    return options;
}

// A daemon that was killed may still take a connection, and lose it at once: that is one outage.
void RunPool::report_outage(const std::string& message) {
    auto now = std::chrono::steady_clock::now();
    auto last = std::exchange(last_outage_, now);
    if (host_->is_taking_over_now()) return log::debug(message);
    if (!last || now - *last > same_outage) log::warn(message);
}

asio::awaitable<void> RunPool::disconnect() {
    if (submitter_) co_await submitter_->shutdown();
}

asio::awaitable<void> RunPool::leave() {
    if (host_) co_await host_->leave();
}

}  // namespace live_run
