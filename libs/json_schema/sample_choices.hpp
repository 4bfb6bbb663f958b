// Numbers the variations of a sample: each number determines which alternatives are taken, and which of many
// similar texts. Internal to json_schema/sample.
#pragma once

#include <cstddef>
#include <cstdint>

namespace json_schema {

// The first `systematic` numbers enumerate all combinations of choices; the choices made first vary fastest.
// Later numbers choose pseudo-randomly, because with many choices the enumeration would not get past the
// first few. 0 takes the first alternative everywhere.
class Choices {
  public:
    static constexpr std::size_t systematic = 64;
    static constexpr std::size_t tries = 160;  // the period: later numbers repeat these

    explicit Choices(std::size_t number) : left_(number % tries), mixed_(left_ >= systematic) {}

    // A number from 0 to count - 1; count is at least 1.
    std::size_t pick(std::size_t count) {
        if (mixed_) return mix() % count;
        std::size_t picked = left_ % count;
        left_ /= count;
        return picked;
    }

    // The rest of the number, which selects among values of the same form.
    std::size_t rest() { return mixed_ ? mix() % tries : left_; }

  private:
    // splitmix64
    std::uint64_t mix() {
        std::uint64_t bits = left_ += 0x9e3779b97f4a7c15;
        bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
        bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
        return bits ^ (bits >> 31);
    }

    std::uint64_t left_;
    bool mixed_;
};

}  // namespace json_schema
