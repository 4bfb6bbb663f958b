#include "serve_shell/context.hpp"

#include "base/text.hpp"
#include "json/json.hpp"

#include <boost/system/errc.hpp>

namespace serve_shell {

namespace asio = boost::asio;
namespace errc = boost::system::errc;

namespace {

trace::Attempt last_of(const Follower& follower, trace::Row row) {
    return follower.trace().attempt(follower.trace().last_of(row));
}

// Whether this attempt is running, as the run reports.
bool is_running(const Follower& follower, std::uint64_t id) {
    if (follower.state().empty()) return false;
    auto state = json::View::of(follower.state());
    auto running = state.find("running");
    if (!running) return false;
    for (json::View task : running->elements()) {
        auto number = task.find("id");
        auto phase = task.find("phase");
        if (number && number->integer() == static_cast<std::int64_t>(id))
            return !phase || !phase->is_string("human");
    }
    return false;
}

}  // namespace

base::Result<const ServedRuns::Run*> find_served_run(ServeContext& context, const std::string& id) {
    auto list = context.runs.now();
    if (!list) return list.error();
    const auto* run = (*list)->find(id);
    if (run == nullptr)
        return base::Error{make_error_code(errc::no_such_file_or_directory),
                           base::concat("There is no run ", id, ".")};
    return run;
}

asio::awaitable<base::Result<OpenedRun>> open_run(ServeContext& context, std::string id) {
    auto run = find_served_run(context, id);
    if (!run) co_return run.error();
    OpenedRun opened;
    opened.json = (*run)->json;
    opened.state = (*run)->state;
    opened.follower = context.followers.of((*run)->found);
    co_await opened.follower->catch_up();
    if (opened.follower->trace().config()) co_return opened;
    if (const auto& problem = opened.follower->problem())
        co_return base::Error{make_error_code(errc::io_error), problem->message};
    if (!runs::is_living(opened.state))
        co_return base::Error{
            make_error_code(errc::io_error),
            base::concat("The state log of the run ", id, ", ", opened.follower->found().record.state_log,
                         ", is cut off in its first line: nothing of the run is left to show.")};
    co_return base::Error{make_error_code(errc::resource_unavailable_try_again),
                          base::concat("The run ", id, " is just beginning; try again.")};
}

asio::awaitable<std::string_view> reported_state(OpenedRun run, trace::Row row) {
    const Follower& follower = *run.follower;
    if (last_of(follower, row).completion != trace::absent) co_return "";
    if (runs::is_living(run.state)) co_await run.follower->wait_for_state();
    if (row >= follower.trace().position().rows) co_return "";  // the log was replaced meanwhile, or removed
    trace::Attempt last = last_of(follower, row);
    co_return last.completion == trace::absent&& is_running(follower, last.id) ? "running" : "";
}

}  // namespace serve_shell
