#include "agents/transcript_window.hpp"

#include "base/text.hpp"

namespace agents {

std::optional<TranscriptWindow::Shortening> TranscriptWindow::shortening_after(
    const std::vector<output::KeptParts::Record>& dropped) const {
    if (dropped.empty()) return std::nullopt;
    return Shortening{parts_.head(),
                      base::concat("{\"omitted_bytes\":", parts_.dropped_content(),
                                   ",\"omitted_lines\":", parts_.dropped_records(), "}\n"),
                      parts_.tail()};
}

}  // namespace agents
