// The transcripts of a process's agents: their directory, and what happens if they cannot be kept.
#pragma once

#include "agents/transcript.hpp"
#include "output/redaction.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace agents {

class Transcripts {
  public:
    enum class Retention {
        unlimited,
        two_weeks,  // older ones are removed before the first transcript, and every day
    };

    // `directory` is created, with mode 0700, for the first transcript. It is absolute, or empty if there is
    // no home directory that it could be in.
    Transcripts(std::string directory, Retention retention);

    // ${XDG_STATE_HOME:-~/.local/state}/barnum/transcripts/POOL; empty if there is no home directory.
    static std::string default_directory(std::string_view pool);

    // Begins STEP-ID.ndjson; what is not fit for the name of a file is replaced or cut. `id` is fit, and a
    // new one each time. `variables` are those that the program has besides this process's own. Null if the
    // transcript cannot be kept, of which the first time is logged. This object must outlive the transcript.
    std::unique_ptr<Transcript> begin(std::string_view step, std::string_view id,
                                      const output::Variables& variables);

  private:
    base::Result<TranscriptFile> create(std::string name);
    void remove_old(const io::Directory& directory);
    void failed(const base::Error& error);

    std::string directory_;
    Retention retention_;
    std::optional<std::chrono::steady_clock::time_point> next_removal_;
    bool has_failed_ = false;  // and this was logged
};

}  // namespace agents
