#include "serve_shell/metrics.hpp"

#include "metrics/exposition.hpp"
#include "pool_view/pool_metrics.hpp"
#include "serve_shell/reply.hpp"

#include <array>
#include <chrono>
#include <map>
#include <utility>

namespace serve_shell {

namespace asio = boost::asio;
using runs::RunState;

namespace {

constexpr std::array states{RunState::running,  RunState::paused,  RunState::waiting,
                            RunState::finished, RunState::failed,  RunState::interrupted,
                            RunState::lost,     RunState::resumed, RunState::damaged};

void add_runs(metrics::Exposition& out, const ServedRuns& list) {
    std::map<RunState, std::uint64_t> counts;
    std::uint64_t left = 0;
    std::uint64_t asked = 0;
    for (const ServedRuns::Run* run : list.all()) {
        ++counts[run->state];
        const runs::TaskCounts& tasks = run->found.record.tasks;
        if (runs::is_living(run->state)) left += tasks.left;
        if (runs::is_living(run->state) || run->state == RunState::waiting) asked += tasks.asked;
    }
    out.gauge("barnum_runs", "Runs of this user on this machine.");
    for (RunState state : states)
        out.add({{"state", state_name(state)}}, counts[state]);
    out.gauge("barnum_tasks_left", "Unfinished tasks of living runs.");
    out.add({}, left);
    out.gauge("barnum_tasks_waiting_for_human", "Tasks that wait for a person, of runs that live or wait.");
    out.add({}, asked);
}

}  // namespace

asio::awaitable<http::Response> metrics_response(ServeContext& context, const http::Request& request) {
    metrics::Format format = metrics::accepted_format(request.field("Accept"));
    auto list = context.runs.now();
    if (!list) co_return error_reply(list.error());
    co_await context.counters.count(**list);
    PoolsWatch::Asked pools = co_await context.pools.ask(pool_client::AskedHosts::this_one);
    metrics::Exposition exposition(format);
    add_runs(exposition, context.runs.last());
    context.counters.totals().write(exposition);
    exposition.gauge("barnum_serve_start_time_seconds", "When this server began, as Unix time.");
    auto begun = context.counters.begun().time_since_epoch();
    exposition.add({}, std::chrono::duration<double>(begun).count());
    pool_view::add_pool_metrics(exposition, pools.served);
    http::Response response;
    response.content_type = metrics::content_type(format);
    response.body = exposition.finish();
    co_return response;
}

asio::awaitable<http::Response> pools_response(ServeContext& context) {
    PoolsWatch::Asked pools = co_await context.pools.ask(pool_client::AskedHosts::all);
    co_return json_reply(std::move(pools.json));
}

}  // namespace serve_shell
