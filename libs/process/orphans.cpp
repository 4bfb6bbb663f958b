#include "process/orphans.hpp"

#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unordered_set>

namespace process {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds own_child_pause{100};  // until this process has reaped a child of its own

std::unordered_set<int>& own_children() {
    static std::unordered_set<int> pids;
    return pids;
}

bool gets_orphans() {
    int is_subreaper = 0;
    return ::getpid() == 1 || (::prctl(PR_GET_CHILD_SUBREAPER, &is_subreaper) == 0 && is_subreaper != 0);
}

enum class Reaped { all, up_to_an_own_child };

// The kernel shows one dead child at a time, so that an own one hides those behind it.
Reaped reap_dead() {
    while (true) {
        siginfo_t dead{};
        if (::waitid(P_ALL, 0, &dead, WEXITED | WNOHANG | WNOWAIT) != 0 || dead.si_pid == 0)
            return Reaped::all;
        if (own_children().contains(dead.si_pid)) return Reaped::up_to_an_own_child;
        ::waitpid(dead.si_pid, nullptr, WNOHANG);
    }
}

}  // namespace

void add_own_child(int pid) {
    own_children().insert(pid);
}

void remove_own_child(int pid) {
    own_children().erase(pid);
}

asio::awaitable<void> reap_orphans() {
    if (!gets_orphans()) co_return;
    auto executor = co_await asio::this_coro::executor;
    asio::signal_set child_ended(executor, SIGCHLD);
    asio::steady_timer timer(executor);
    while (true) {
        if (reap_dead() == Reaped::all) {
            co_await child_ended.async_wait(asio::use_awaitable);
        } else {
            timer.expires_after(own_child_pause);
            co_await timer.async_wait(asio::use_awaitable);
        }
    }
}

}  // namespace process
