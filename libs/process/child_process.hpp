// Runs `sh -c` until it ends: in a process group of its own, with default signals and only the descriptors 0
// to 2. stdin is complete from the start; stdout and stderr are read at the same time. When run_child()
// returns, the group is gone; after a timeout or cancellation, so are processes that have left the group, as
// far as they descend from it or carry the mark. A process that still exists 5 s after SIGKILL is only warned
// of. If the kernel is short of descriptors, processes or memory, it waits until the child can be started.
// Knows nothing of tasks or hooks.
#pragma once

#include "base/spliced_text.hpp"
#include "process/child_dialog.hpp"
#include "process/child_result.hpp"
#include "process/marked_processes.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace process {

// Ends a child from outside, as its timeout would. The result is `cancelled` then, unless the child has
// exited already.
class ChildStop {
  public:
    void request() {
        requested_ = true;
        if (end_) end_();
    }
    bool requested() const { return requested_; }

    // For run_child(): sets the function that ends the child. Calls it at once if the end was requested
    // before.
    void connect(std::function<void()> end) {
        end_ = std::move(end);
        if (requested_) end_();
    }

  private:
    std::function<void()> end_;
    bool requested_ = false;
};

struct ChildSpec {
    std::string name = "a command";  // whose a message is: "task 3 Build"
    std::string script;
    std::vector<std::string> arguments;  // of the script: "$1" and so on; not if detached
    std::string directory;               // absolute
    Environment environment;  // added to the environment of this process; also the mark, different for each
                              // child, by which processes are found that have left the group
    Environment unmarked;     // added to the environment, too, but not a part of the mark
    base::SplicedText input;  // stdin; the child need not read it
    std::shared_ptr<ChildDialog>
        dialog;  // may be null; otherwise it gives stdin and takes the output, which
                 // has no limit then, and of which the result has only that of stderr
    // What the child prints on stderr goes through it first; with `is_end` it gives all that is left. May be
    // empty; not if detached.
    std::function<std::string(std::string_view piece, bool is_end)> filter_error_output;
    // Called with what the child prints, in pieces of any size, besides what is said above. May be empty. Not
    // called if the child is detached, nor after run_child() has returned.
    std::function<void(std::string_view)> on_output;
    std::function<void(std::string_view)> on_error_output;
    int input_file =
        -1;  // stdin instead of `input`, if not -1: an open file, which must stay open until the child ends
    std::optional<std::chrono::steady_clock::duration>
        timeout;  // on the active clock. Then SIGTERM to the group, SIGKILL 2 s later
    std::size_t max_output = std::size_t{64} << 20;  // the limit for stdout in bytes; more ends the child
    std::shared_ptr<ChildStop> stop;                 // may be null
    bool detached =
        false;  // no stdin; its output goes to the stderr of this process. When its shell has ended by
                // itself, the other processes continue; processes that leave the group always continue
};

// A terminal cancellation ends the child like a timeout, and the result is End::cancelled; so it is if the
// child has died of SIGINT, SIGTERM or SIGHUP a quarter of a second before, at most. The cancellation state
// of the awaiting coroutine stays set, so its next co_await throws unless the coroutine resets the state.
boost::asio::awaitable<ChildResult> run_child(ChildSpec spec);

// Sends SIGKILL to the groups of all running children of this process. For an exit that waits for nothing.
void kill_all_children();

}  // namespace process
