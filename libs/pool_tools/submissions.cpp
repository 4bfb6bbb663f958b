#include "pool_tools/submissions.hpp"

#include "base/text.hpp"
#include "io/directory.hpp"
#include "json/json.hpp"
#include "pool_client/file_events.hpp"
#include "pool_client/new_id.hpp"
#include "pool_client/pool_wait.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_protocol/names.hpp"
#include "pool_tools/results.hpp"

#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <utility>

namespace pool_tools {

namespace asio = boost::asio;
using pool_protocol::file_name;
using pool_protocol::FileKind;

namespace {

constexpr std::chrono::hours answers_stay{1};
constexpr std::chrono::milliseconds look_again{500};

mcp::Outcome unknown(std::string_view id) {
    return mcp::ToolFailure{base::concat("There is no submitted task ", json::quote(id),
                                         ": it was withdrawn, or its answer was read more than an hour ago. "
                                         "Use the id that submit_task has returned.")};
}

std::optional<pool_protocol::Answer> read_answer(const io::Directory& submissions, const std::string& id) {
    auto text = submissions.read(file_name(id, FileKind::response), pool_protocol::longest_message);
    if (text.has_error() && text.error().code == boost::system::errc::file_too_large)
        return pool_protocol::Invalid{text.error().message};
    if (text.has_error() || text->empty()) return std::nullopt;
    auto answered = pool_protocol::parse_answer(*text);
    if (answered.has_error()) return pool_protocol::Invalid{answered.error().message};
    return std::move(answered->answer);
}

std::string answer_path(const pool_protocol::PoolDirectory& directory, const std::string& id) {
    return base::concat(directory.submissions(), "/", std::string_view(file_name(id, FileKind::response)));
}

mcp::Outcome answered(const std::string& id, const pool_protocol::Answer& answer, std::string_view file) {
    AnswerText text = answer_result(id, answer, file);
    mcp::ToolResult result{std::move(text.json), {}};
    if (text.is_cut)
        result.links.push_back(
            {base::concat("troupe://tasks/", id), id, "", "the whole answer", "text/plain"});
    return result;
}

}  // namespace

mcp::Outcome McpSubmissions::submit(pool_protocol::Request request) {
    auto submissions = io::Directory::open(directory_.submissions());
    auto scratch = io::Directory::open(directory_.scratch());
    for (const auto* opened : {&submissions, &scratch})
        if (opened->has_error())
            return mcp::ToolFailure{base::concat(opened->error().message,
                                                 ". Is the pool's daemon running? `troupe start ",
                                                 pool_protocol::options_of(directory_), "` starts it.")};
    if (!std::exchange(has_looked_for_old_, true)) remove_old_answers();
    std::string id = pool_client::new_id();
    auto written = submissions->write(*scratch, file_name(id, FileKind::request), to_json(request));
    if (written.has_error()) return mcp::ToolFailure{written.error().message};
    auto pool = pool_client::open_served_pool(directory_);
    return mcp::ToolResult{
        simple_result("Submitted", id,
                      pool.has_value() ? "wait_task waits for the answer."
                                       : base::concat("It waits for a daemon: ", pool.error().message)),
        {}};
}

asio::awaitable<mcp::Outcome> McpSubmissions::wait(std::string id, std::chrono::seconds time) {
    auto end = std::chrono::steady_clock::now() + time;
    mcp::Outcome outcome = unknown(id);
    if (!pool_protocol::is_id(id)) co_return outcome;
    std::vector<std::string> names{std::string(file_name(id, FileKind::response)),
                                   std::string(file_name(id, FileKind::request))};
    pool_client::FileEvents events(executor_, watch_, directory_.submissions(), std::move(names));
    while (true) {
        if (auto answer = take_answer(id)) {
            outcome = answered(id, *answer, answer_path(directory_, id));
            co_return outcome;
        }
        if (state_of(id) == State::unknown) co_return outcome;
        if (std::chrono::steady_clock::now() >= end) break;
        // An answer `stopped` waits for the end of its daemon.
        auto look = std::chrono::steady_clock::now() + look_again;
        co_await events.next(state_of(id) == State::answered ? std::min(look, end) : end);
    }
    auto pool = pool_client::open_served_pool(directory_);
    outcome = mcp::ToolResult{
        simple_result("Wait", id,
                      pool.has_value() ? "There is no answer yet. Call wait_task again."
                                       : base::concat("There is no answer yet: ", pool.error().message)),
        {}};
    co_return outcome;
}

mcp::Outcome McpSubmissions::withdraw(const std::string& id) {
    if (state_of(id) == State::unknown) return unknown(id);
    auto submissions = io::Directory::open(directory_.submissions());
    if (submissions.has_error()) return mcp::ToolFailure{submissions.error().message};
    // The request first: without its response it would be submitted again.
    for (FileKind kind : {FileKind::request, FileKind::response})
        if (auto removed = submissions->remove(file_name(id, kind)); removed.has_error())
            return mcp::ToolFailure{removed.error().message};
    return mcp::ToolResult{simple_result("Withdrawn", id), {}};
}

std::optional<std::string> McpSubmissions::answer_text(const std::string& id) const {
    auto submissions = io::Directory::open(directory_.submissions());
    if (submissions.has_error() || !pool_protocol::is_id(id)) return std::nullopt;
    auto answer = read_answer(*submissions, id);
    if (!answer) return std::nullopt;
    if (auto* processed = std::get_if<pool_protocol::Processed>(&*answer))
        return std::move(processed->response);
    return answer_result(id, *answer, answer_path(directory_, id)).json;
}

McpSubmissions::State McpSubmissions::state_of(const std::string& id) const {
    auto submissions = io::Directory::open(directory_.submissions());
    if (submissions.has_error() || !pool_protocol::is_id(id)) return State::unknown;
    if (submissions->contains(file_name(id, FileKind::response))) return State::answered;
    return submissions->contains(file_name(id, FileKind::request)) ? State::open : State::unknown;
}

// Removes only the request: a client that was killed before it read the answer finds it again.
std::optional<pool_protocol::Answer> McpSubmissions::take_answer(const std::string& id) {
    auto submissions = io::Directory::open(directory_.submissions());
    if (submissions.has_error()) return std::nullopt;
    auto answer = read_answer(*submissions, id);
    if (!answer) return std::nullopt;
    if (std::holds_alternative<pool_protocol::Stopped>(*answer)) {
        if (has_ended(id)) submit_again(id);
        return std::nullopt;
    }
    (void)submissions->remove(file_name(id, FileKind::request));
    return answer;
}

// Whether the daemon that has answered `stopped` serves the pool no more.
bool McpSubmissions::has_ended(const std::string& id) const {
    auto pool = io::Directory::open(directory_.path);
    auto submissions = io::Directory::open(directory_.submissions());
    if (pool.has_error() || submissions.has_error()) return false;
    return !pool->contains(pool_protocol::status_name) ||
           pool->modified(pool_protocol::status_name) >
               submissions->modified(file_name(id, FileKind::response));
}

// Submits the task to the next daemon, which has perhaps started already and seen the answer of the last one.
void McpSubmissions::submit_again(const std::string& id) {
    auto submissions = io::Directory::open(directory_.submissions());
    auto scratch = io::Directory::open(directory_.scratch());
    if (submissions.has_error() || scratch.has_error()) return;
    auto request = submissions->read(file_name(id, FileKind::request), pool_protocol::longest_message);
    if (request.has_error()) return;
    (void)submissions->remove(file_name(id, FileKind::response));
    (void)submissions->write(*scratch, file_name(id, FileKind::request), *request);
}

// Removes answers that were read. A daemon does so at its start.
void McpSubmissions::remove_old_answers() const {
    auto submissions = io::Directory::open(directory_.submissions());
    if (submissions.has_error()) return;
    auto names = submissions->names();
    if (names.has_error()) return;
    auto oldest = std::chrono::system_clock::now().time_since_epoch() - answers_stay;
    for (const std::string& name : *names) {
        auto file = pool_protocol::parse_file_name(name);
        if (file && file->kind == FileKind::response && submissions->modified(name) < oldest &&
            !submissions->contains(file_name(file->id, FileKind::request)))
            (void)submissions->remove(name);
    }
}

}  // namespace pool_tools
