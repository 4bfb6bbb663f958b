#include "serve_shell/pools.hpp"

#include "base/text.hpp"
#include "io/task_group.hpp"
#include "json/json.hpp"
#include "pool_client/find_pools.hpp"
#include "pool_client/status_query.hpp"

#include <boost/asio/this_coro.hpp>

#include <chrono>
#include <optional>
#include <utility>

namespace serve_shell {

namespace asio = boost::asio;
using pool_client::AskedHosts;
using pool_protocol::PoolDirectory;
using std::chrono::steady_clock;

namespace {

constexpr std::chrono::seconds pools_interval{1};
constexpr std::chrono::seconds answer_time{2};

std::string without_status(const std::string& pool, const std::string& error) {
    return base::concat("{\"pool\":", json::quote(pool), ",\"error\":", json::quote(error), "}");
}

struct AskedPool {
    std::optional<pool_protocol::Status> status;
    std::string without_status;  // JSON; if there is no status
};

asio::awaitable<void> ask_pool(AskedPool& asked, PoolDirectory pool, AskedHosts hosts) {
    auto answer = co_await pool_client::ask_status(pool, answer_time, hosts);
    auto status = answer ? pool_protocol::parse_status(*answer) : answer.error();
    if (status)
        asked.status = std::move(*status);
    else
        asked.without_status = without_status(pool.pool, status.error().message);
}

// All at once, because one that is stopped takes the whole time.
asio::awaitable<std::vector<AskedPool>> ask_pools(std::vector<PoolDirectory> pools, AskedHosts hosts) {
    std::vector<AskedPool> asked(pools.size());
    auto executor = co_await asio::this_coro::executor;
    io::TaskGroup tasks(executor, io::log_exception);
    for (std::size_t i = 0; i < pools.size(); ++i)
        tasks.spawn("asking a pool", ask_pool(asked[i], pools[i], hosts));
    co_await tasks.join_or_cancel();
    co_return asked;
}

}  // namespace

asio::awaitable<PoolsWatch::Asked> PoolsWatch::ask(AskedHosts hosts) {
    bool with_hosts = hosts == AskedHosts::all;
    if (with_hosts && !hosts_.take_turn(steady_clock::now())) hosts = AskedHosts::this_one;
    Asked asked;
    std::string pools;
    auto add = [&pools](const std::string& json) { pools += (pools.empty() ? "" : ",") + json; };
    auto any = pool_protocol::locate(root_, "");
    auto found = any ? pool_client::find_pools(any->root) : any.error();
    if (!found) add(without_status("", found.error().message));
    std::vector<AskedPool> all;
    if (found) all = co_await ask_pools(std::move(*found), hosts);
    for (AskedPool& one : all) {
        if (one.status && hosts == AskedHosts::all)
            hosts_.keep(*one.status, steady_clock::now());
        else if (one.status && with_hosts)
            hosts_.add_to(*one.status, steady_clock::now());
        add(one.status ? to_json(*one.status) : one.without_status);
        if (one.status) asked.served.push_back(std::move(*one.status));
    }
    asked.json = base::concat("{\"pools\":[", pools, "]}");
    co_return asked;
}

asio::awaitable<void> PoolsWatch::run() {
    while (true) {
        if (watchers_.empty()) {
            json_.clear();
            co_await wake_.wait();
            continue;
        }
        Asked asked = co_await ask(AskedHosts::all);
        if (asked.json != json_) {
            json_ = std::move(asked.json);
            ++version_;
            watchers_.ring();
        }
        co_await wake_.wait(pools_interval);
    }
}

io::Bells::Watch PoolsWatch::watch(io::Bell& bell) {
    if (watchers_.empty()) wake_.ring();
    return watchers_.add(bell);
}

}  // namespace serve_shell
