// Which texts of a log were written a short time ago. Pure: the time is an argument.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace io {

class Repeats {
  public:
    using Time = std::chrono::steady_clock::time_point;

    // Remembers at most `most` texts.
    Repeats(std::chrono::seconds interval, std::size_t most) : interval_(interval), most_(most) {}

    // Whether this text was new less than an interval ago. If not, it is new now.
    bool is_repeated(std::string_view text, Time now);

  private:
    void make_room(Time now);

    std::chrono::seconds interval_;
    std::size_t most_;
    std::map<std::string, Time, std::less<>> new_at_;
};

}  // namespace io
