// Runs one `sh -c` to its end: a process group of its own, default signals, only fds 0 to 2; stdin complete
// from the start, stdout and stderr pumped at once. The group is gone when run_child returns, and after
// an early end also what had left it, as far as it descends from the group or has the mark. When the kernel
// is short of descriptors, processes or memory, it waits until it can be started. Knows nothing of tasks or
// hooks.
#pragma once

#include "base/spliced_text.hpp"
#include "process/child_result.hpp"
#include "process/marked_processes.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace process {

// Ends a child from outside, as its timeout would; its end is `cancelled` then, unless it has exited already.
class ChildStop {
  public:
    void request() {
        requested_ = true;
        if (end_) end_();
    }
    bool requested() const { return requested_; }

    // For run_child(): what is to be done. At once, if it was requested before.
    void connect(std::function<void()> end) {
        end_ = std::move(end);
        if (requested_) end_();
    }

  private:
    std::function<void()> end_;
    bool requested_ = false;
};

struct ChildSpec {
    std::string script;
    std::string directory;    // absolute
    Environment environment;  // put over this process's own; also the mark, its own, by which a child that
                              // left its group is found
    base::SplicedText input;  // stdin; need not be read by the child
    int input_file = -1;  // stdin instead, if there is one: an open file, to stay so until the child's end
    std::optional<std::chrono::steady_clock::duration>
        timeout;  // on the active clock. SIGTERM to the group then, SIGKILL 2 s later
    std::size_t max_output = std::size_t{64} << 20;  // bytes of stdout; more ends the child
    std::shared_ptr<ChildStop> stop;                 // may be null
    bool detached = false;  // no stdin, its output goes to our stderr, and once its shell has ended by itself
                            // the rest lives on; what leaves the group lives on in any case
};

// A terminal cancellation ends the child like a timeout does and is answered with End::cancelled; the
// awaiting coroutine's cancellation state stays set, so that its next co_await throws unless it resets it.
boost::asio::awaitable<ChildResult> run_child(ChildSpec spec);

// SIGKILL to the group of every child that runs now, in all of the process: for an exit that waits for
// nothing.
void kill_all_children();

}  // namespace process
