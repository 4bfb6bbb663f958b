// Which part of a transcript its file keeps: the beginning and the end, and in between how much was left
// out. Pure.
#pragma once

#include "agents/transcript_lines.hpp"
#include "output/kept_parts.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace agents {

class TranscriptWindow {
  public:
    using Limits = output::KeptParts::Limits;

    // The file is to become its first `head` bytes, `omitted`, and its last `tail` bytes.
    struct Shortening {
        std::size_t head = 0;
        std::string omitted;  // {"omitted_bytes":N,"omitted_lines":N} and a newline
        std::size_t tail = 0;
    };

    explicit TranscriptWindow(Limits limits = {}) : parts_(limits) {}

    // The record is appended to the file.
    void add(const TranscriptRecord& record) { parts_.add({record.text.size(), record.line_bytes}); }
    // What is due after that. The file exceeds the limits by the size of a tail before it is shortened, so
    // that this happens rarely.
    std::optional<Shortening> shortening() { return shortening_after(parts_.drop()); }
    // What is due at the end of the transcript.
    std::optional<Shortening> last_shortening() { return shortening_after(parts_.drop_last()); }

  private:
    std::optional<Shortening> shortening_after(const std::vector<output::KeptParts::Record>& dropped) const;

    output::KeptParts parts_;
};

}  // namespace agents
