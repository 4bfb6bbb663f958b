#include "pool_client/file_request.hpp"

#include "io/directory.hpp"
#include "io/file_lock.hpp"
#include "pool_client/file_events.hpp"
#include "pool_protocol/messages.hpp"
#include "pool_protocol/names.hpp"

#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <vector>

namespace pool_client {

namespace asio = boost::asio;
using pool_protocol::Answer;
using pool_protocol::file_name;
using pool_protocol::FileKind;

namespace {

// Puts the request file into `submissions` by rename. The returned lock on it shows the daemon that its
// submitter lives; without one the answer lies there for a limited time.
base::Result<io::UniqueFd> put_locked(const io::Directory& submissions, const io::Directory& scratch,
                                      const std::string& name, const std::string& text) {
    if (auto written = scratch.write_in_place(name, text); written.has_error()) return written.error();
    auto lock = io::lock_file(scratch, name);
    if (auto put = submissions.take_from(scratch, name); put.has_error()) {
        (void)scratch.remove(name);
        return put.error();
    }
    return lock.has_value() ? std::move(*lock) : io::UniqueFd();
}

}  // namespace

asio::awaitable<base::Result<Answer>> ask_by_file(io::DirectoryWatch& watch,
                                                  pool_protocol::PoolDirectory directory,
                                                  FileRequest request) {
    std::string request_name(file_name(request.id, FileKind::request));
    std::string response_name(file_name(request.id, FileKind::response));
    auto submissions = io::Directory::open(directory.submissions());
    if (submissions.has_error()) co_return submissions.error();
    auto scratch = io::Directory::open(directory.scratch());
    if (scratch.has_error()) co_return scratch.error();
    struct Withdrawal {  // the request file must not outlive this coroutine
        const io::Directory& directory;
        const std::string& name;
        ~Withdrawal() { (void)directory.remove(name); }
    } withdrawal{*submissions, request_name};
    std::vector<std::string> names{response_name};
    FileEvents events(co_await asio::this_coro::executor, watch, directory.submissions(), std::move(names));
    auto lock = put_locked(*submissions, *scratch, request_name, request.json);
    if (lock.has_error()) co_return lock.error();
    while (true) {
        auto text = submissions->read(response_name, pool_protocol::longest_message);
        if (text.has_error() && text.error().code == boost::system::errc::file_too_large)
            co_return text.error();
        if (text.has_value() && !text->empty()) {
            // The request first: without its response it would be submitted again.
            (void)submissions->remove(request_name);
            (void)submissions->remove(response_name);
            auto answered = pool_protocol::parse_answer(*text);
            if (answered.has_error()) co_return answered.error();
            co_return std::move(answered->answer);
        }
        co_await events.next();
    }
}

}  // namespace pool_client
