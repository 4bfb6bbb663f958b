// What an agent's program and the agent say to each other, as the lines of a transcript (docs/agents.md,
// "Transcripts"). Pure.
#pragma once

#include "output/redaction.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace agents {

struct TranscriptRecord {
    std::string text;            // a JSON object and a newline
    std::size_t line_bytes = 0;  // the size of the line that it contains
};

class TranscriptLines {
  public:
    using Time = std::chrono::milliseconds;  // since 1970
    enum class Source {
        agent,         // what the agent writes to the program's stdin
        program,       // what the program prints on stdout
        error_output,  // and on stderr
        refusal,       // what the model was not let do, and by whom
    };

    // Of a longer line, only the beginning is kept, as a text.
    static constexpr std::size_t longest_line = 64 * 1024;  // bytes

    explicit TranscriptLines(const std::shared_ptr<const output::Redaction>& redaction);

    // Appends a record for each line that is complete now, without its secrets, and not empty.
    void add(Source source, std::string_view piece, Time now, std::vector<TranscriptRecord>& out);
    // The program has ended: also the lines without a newline. Another one may follow.
    void finish(Time now, std::vector<TranscriptRecord>& out);

  private:
    struct Stream {
        output::Redactor redactor;
        std::string line = {};  // the beginning of the line that is not complete
        std::size_t size = 0;   // of that line so far
    };
    void split(Source source, std::string_view text, Time now, std::vector<TranscriptRecord>& out);
    static TranscriptRecord record_of(Source source, Time now, const Stream& from);
    void end_line(Source source, Time now, std::vector<TranscriptRecord>& out);
    Stream& stream(Source source) { return streams_.at(static_cast<std::size_t>(source)); }

    std::array<Stream, 4> streams_;
    std::string redacted_;  // kept for its memory
};

}  // namespace agents
