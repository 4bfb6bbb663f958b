// What the fuzz targets share. A target is a function that takes any bytes and asserts what is promised of
// them; libFuzzer looks for bytes for which it doesn't hold, and a plain program replays those that are kept
// in corpus/. A target must not depend on anything but its input: no clock, no random numbers, no files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fuzz {

// Each target's own.
void target(std::string_view input);

// Ends the program, and says which promise is broken, unless it holds.
void must(bool holds, std::string_view promise);

// Cuts a text in pieces whose sizes depend on nothing but the text: often a byte or two, sometimes all the
// rest.
class Pieces {
  public:
    explicit Pieces(std::string_view text);

    bool done() const { return rest_.empty(); }
    std::string_view next();

    // A number below `limit`, which is more than 0.
    std::size_t below(std::size_t limit);

  private:
    std::string_view rest_;
    std::uint64_t bits_ = 14695981039346656037U;  // where FNV-1a begins
};

}  // namespace fuzz
