// Copies the lines of a log and gives each a correct checksum. Nothing else is changed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace statelog {

class ChecksumWriter {
  public:
    // Takes the bytes in pieces of any size, and returns the lines that are complete so far. The lines must
    // be such that a replay accepts them except for their checksums: JSON objects that are not empty.
    std::string write(std::string_view bytes);

    // The beginning of a line whose newline has not arrived yet.
    const std::string& rest() const { return rest_; }

    // The number of lines whose checksum did not match their bytes, and of lines without one.
    std::uint64_t wrong() const { return wrong_; }
    std::uint64_t missing() const { return missing_; }

  private:
    void append_line(std::string& out, std::string_view line);

    std::string rest_;
    std::uint64_t wrong_ = 0;
    std::uint64_t missing_ = 0;
};

}  // namespace statelog
