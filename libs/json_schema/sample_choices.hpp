// The ways in which a value can be made up, by number: what number stands for which alternatives, and which
// one of many like texts. Inner part of json_schema/sample.
#pragma once

#include <cstddef>
#include <cstdint>

namespace json_schema {

// The first numbers go through all combinations of the choices one after the other, those made first varying
// first; from `systematic` on they are mixed, because many choices would never get past the first few. 0 is
// the first alternative of each.
class Choices {
  public:
    static constexpr std::size_t systematic = 64;
    static constexpr std::size_t tries = 160;  // in a row: what comes then comes again

    explicit Choices(std::size_t number) : left_(number % tries), mixed_(left_ >= systematic) {}

    // One of 0 … count - 1; count is at least 1.
    std::size_t pick(std::size_t count) {
        if (mixed_) return mix() % count;
        std::size_t picked = left_ % count;
        left_ /= count;
        return picked;
    }

    // What is left of the number: which one of values of the same make.
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
