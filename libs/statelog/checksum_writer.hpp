// Writes the lines of a log anew, each with its right checksum and otherwise as it was.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace statelog {

class ChecksumWriter {
  public:
    // Takes the bytes in pieces of any size, and returns the lines that are whole by now. Only lines that a
    // replay has taken, whatever it made of their checksums: JSON objects that are not empty.
    std::string write(std::string_view bytes);

    // What has come of a line whose newline has not.
    const std::string& rest() const { return rest_; }

    // Lines whose checksum was not that of their bytes, and lines that had none.
    std::uint64_t wrong() const { return wrong_; }
    std::uint64_t missing() const { return missing_; }

  private:
    void append_line(std::string& out, std::string_view line);

    std::string rest_;
    std::uint64_t wrong_ = 0;
    std::uint64_t missing_ = 0;
};

}  // namespace statelog
