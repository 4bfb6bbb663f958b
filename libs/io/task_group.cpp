#include "io/task_group.hpp"

#include "base/exception_text.hpp"
#include "io/log.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <cassert>

namespace io {

namespace asio = boost::asio;

namespace {

bool is_cancellation(std::exception_ptr exception) {
    try {
        std::rethrow_exception(exception);
    } catch (const boost::system::system_error& error) {
        return error.code() == asio::error::operation_aborted;
    } catch (...) {
        return false;
    }
}

}  // namespace

TaskGroup::TaskGroup(asio::any_io_executor executor, OnException on_exception)
    : executor_(executor), on_exception_(std::move(on_exception)), empty_(executor) {
    empty_.expires_at(std::chrono::steady_clock::time_point::max());
}

TaskGroup::~TaskGroup() {
    assert(members_.empty());
}

void TaskGroup::spawn(std::string name, asio::awaitable<void> body) {
    if (cancelled_) return;
    auto member = members_.emplace(members_.end());
    member->name = std::move(name);
    asio::co_spawn(executor_, std::move(body),
                   asio::bind_cancellation_slot(member->signal.slot(),
                                                [this, member](std::exception_ptr e) { ended(member, e); }));
}

void TaskGroup::ended(std::list<Member>::iterator member, std::exception_ptr exception) {
    std::string name = std::move(member->name);
    members_.erase(member);
    if (exception && !is_cancellation(exception)) on_exception_(name, exception);
    if (members_.empty()) empty_.cancel();
}

void TaskGroup::cancel() {
    cancelled_ = true;
    // A coroutine may end, and leave the list, while its signal is emitted.
    for (auto member = members_.begin(); member != members_.end();) {
        auto next = std::next(member);
        member->signal.emit(asio::cancellation_type::terminal);
        member = next;
    }
}

asio::awaitable<void> TaskGroup::join() {
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    boost::system::error_code ignored;
    while (!members_.empty())
        co_await empty_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

asio::awaitable<void> TaskGroup::join_or_cancel() {
    while (!members_.empty()) {
        boost::system::error_code ignored;
        co_await empty_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
        if (state.cancelled() == asio::cancellation_type::none) continue;
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        cancel();
        co_await join();
        throw boost::system::system_error(asio::error::operation_aborted);
    }
}

void log_exception(const std::string& name, std::exception_ptr exception) {
    log::error("internal error in ", name, ": ", base::text_of(std::move(exception)));
}

}  // namespace io
