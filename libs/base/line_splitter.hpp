// Text that arrives in pieces, as lines. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace base {

class LineSplitter {
  public:
    // Of a line that is longer than `longest` bytes, only the beginning is kept.
    explicit LineSplitter(std::size_t longest = std::size_t{64} << 20) : longest_(longest) {}

    // Calls `on_line` with each line that is complete now, without its newline.
    template<class OnLine>
    void add(std::string_view piece, OnLine&& on_line) {
        for (std::size_t end = piece.find('\n'); end != piece.npos; end = piece.find('\n')) {
            if (begun_.empty()) {
                on_line(piece.substr(0, end));
            } else {
                keep(piece.substr(0, end));
                on_line(std::string_view(begun_));
                begun_.clear();
            }
            piece.remove_prefix(end + 1);
        }
        keep(piece);
    }

    // The last line, if it has no newline.
    std::string take_rest() { return std::move(begun_); }

  private:
    void keep(std::string_view piece) {
        std::size_t room = longest_ - begun_.size();
        begun_ += piece.substr(0, room);
    }

    std::size_t longest_;
    std::string begun_;
};

}  // namespace base
