// A dialog with a child: its stdin stays open, and its output is handed over as it arrives.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace process {

class ChildDialog {
  public:
    using OnOutput = std::function<void(std::string_view)>;

    // Called with what the child prints, in pieces of any size. They may call the functions below.
    ChildDialog(OnOutput on_output, OnOutput on_error_output)
        : on_output_(std::move(on_output)), on_error_output_(std::move(on_error_output)) {}

    void output(std::string_view piece) const { on_output_(piece); }
    void error_output(std::string_view piece) const { on_error_output_(piece); }

    // Writes to the child's stdin, without waiting; before the start, and while the child does not read, the
    // text is kept. What is sent after close_input(), or to a child that has closed its stdin, is dropped.
    void send(std::string_view text) {
        if (is_closed_) return;
        unsent_ += text;
        unread_ += text.size();
        if (on_change_) on_change_();
    }
    // The child reads the end of its stdin when it has read everything.
    void close_input() {
        is_closed_ = true;
        if (on_change_) on_change_();
    }

    // How much of what was sent is kept, because the child has not read it. Nothing limits it here.
    std::size_t unread() const { return unread_; }

    // To be called by run_child() only.
    void on_change(std::function<void()> call) { on_change_ = std::move(call); }
    std::string take_unsent() { return std::exchange(unsent_, {}); }
    void written(std::size_t bytes) { unread_ -= bytes; }
    // The child has closed its stdin: what is kept is dropped.
    void drop() {
        is_closed_ = true;
        unsent_ = {};
        unread_ = 0;
    }
    bool is_closed() const { return is_closed_; }

  private:
    OnOutput on_output_;
    OnOutput on_error_output_;
    std::function<void()> on_change_;
    std::string unsent_;
    std::size_t unread_ = 0;
    bool is_closed_ = false;
};

}  // namespace process
