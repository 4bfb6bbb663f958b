#include "agents/task_child.hpp"

#include "pool_client/kick_watch.hpp"
#include "pool_protocol/messages.hpp"

#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <unistd.h>

namespace agents {

namespace asio = boost::asio;
using pool_client::Assignment;
using pool_client::KickWatch;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds longest_margin{100};
// A program takes longer to end, and its task may go back to the queue, which must be told before the
// deadline.
constexpr milliseconds longest_margin_of_program{1000};

// Shortly before the daemon's deadline, so that the child has ended when the daemon answers `timeout`.
std::optional<milliseconds> own_time(const AgentOptions& options, const Assignment& assignment) {
    auto timeout = timeout_of(assignment);
    if (!timeout) return std::nullopt;
    bool is_program = agent_driver::has_driver(options.group.settings.kind);
    return *timeout - std::min(is_program ? longest_margin_of_program : longest_margin, *timeout / 10);
}

// The child's processes are found by these variables when they have to be killed (process/child_process). The
// id distinguishes agents of the same name.
process::Environment mark_of(const AgentOptions& options, const Assignment& assignment) {
    process::Environment mark = options.environment;
    mark.emplace_back("BARNUM_AGENT", options.name);
    mark.emplace_back("BARNUM_AGENT_ID", assignment.uuid);
    return mark;
}

}  // namespace

asio::awaitable<ChildEnd> run_task_child(io::DirectoryWatch& watch,
                                         const pool_protocol::PoolDirectory& directory,
                                         const AgentOptions& options, const Assignment& assignment,
                                         process::ChildSpec spec) {
    auto executor = co_await asio::this_coro::executor;
    spec.name = base::concat("the command of ", options.name);
    spec.directory = options.group.settings.directory;
    spec.environment = mark_of(options, assignment);
    if (options.ends_when_told) spec.timeout = own_time(options, assignment);
    if (!spec.stop) spec.stop = std::make_shared<process::ChildStop>();
    std::shared_ptr<process::ChildStop> stop = spec.stop;
    auto reason = std::make_shared<std::optional<pool_protocol::StatedKickReason>>();
    KickWatch::OnKick on_kick = [=](const pool_protocol::StatedKickReason& why) {
        *reason = why;
        stop->request();
    };
    std::optional<KickWatch> kicks;
    if (options.ends_when_told)
        kicks.emplace(executor, watch, *options.session, directory, assignment, std::move(on_kick));
    ChildEnd end;
    end.result = co_await process::run_child(std::move(spec));
    end.kick = std::move(*reason);
    co_return end;
}

std::optional<milliseconds> timeout_of(const Assignment& assignment) {
    if (!assignment.content_file.fd) return pool_protocol::content_timeout(assignment.content);
    constexpr std::size_t end_size = 256;
    std::array<char, end_size> end;
    std::size_t size = std::min(assignment.content_file.size, end_size);
    auto from = static_cast<off_t>(assignment.content_file.size - size);
    if (::pread(assignment.content_file.fd.get(), end.data(), size, from) != static_cast<ssize_t>(size))
        return std::nullopt;
    return pool_protocol::timeout_at_end({end.data(), size});
}

}  // namespace agents
