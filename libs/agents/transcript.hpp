// The transcript of one attempt while it is written, of one program or of several one after the other. The
// shell around agents/transcript_lines and agents/transcript_window, which decide what is written.
#pragma once

#include "agents/transcript_file.hpp"
#include "agents/transcript_lines.hpp"
#include "agents/transcript_window.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agents {

class Transcript {
  public:
    // After an error the rest of the transcript is left out.
    using OnError = std::function<void(const base::Error&)>;

    Transcript(TranscriptFile file, const std::shared_ptr<const output::Redaction>& redaction,
               OnError on_error)
        : file_(std::move(file)), lines_(redaction), on_error_(std::move(on_error)) {}

    // Absolute.
    std::string path() const { return file_.path(); }

    void add(TranscriptLines::Source source, std::string_view piece);
    // A program has ended; another one may follow.
    void end_program();
    // The attempt has ended.
    void finish();

  private:
    void write(const std::vector<TranscriptRecord>& records);
    base::Result<void> shorten(const std::optional<TranscriptWindow::Shortening>& shortening);
    bool succeeded(const base::Result<void>& result);

    TranscriptFile file_;
    TranscriptLines lines_;
    TranscriptWindow window_;
    OnError on_error_;
    bool has_failed_ = false;
};

}  // namespace agents
