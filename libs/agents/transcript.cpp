#include "agents/transcript.hpp"

#include <chrono>

namespace agents {

namespace {

TranscriptLines::Time unix_time() {
    return std::chrono::floor<TranscriptLines::Time>(std::chrono::system_clock::now().time_since_epoch());
}

}  // namespace

void Transcript::add(TranscriptLines::Source source, std::string_view piece) {
    if (has_failed_) return;
    std::vector<TranscriptRecord> records;
    lines_.add(source, piece, unix_time(), records);
    write(records);
}

void Transcript::end_program() {
    if (has_failed_) return;
    std::vector<TranscriptRecord> records;
    lines_.finish(unix_time(), records);
    write(records);
}

void Transcript::finish() {
    end_program();
    if (!has_failed_) (void)succeeded(shorten(window_.last_shortening()));
}

void Transcript::write(const std::vector<TranscriptRecord>& records) {
    if (records.empty()) return;
    std::string text;
    for (const TranscriptRecord& record : records) {
        text += record.text;
        window_.add(record);
    }
    if (succeeded(file_.append(text))) (void)succeeded(shorten(window_.shortening()));
}

base::Result<void> Transcript::shorten(const std::optional<TranscriptWindow::Shortening>& shortening) {
    if (!shortening) return {};
    return file_.shorten(shortening->head, shortening->omitted, shortening->tail);
}

bool Transcript::succeeded(const base::Result<void>& result) {
    if (result.has_value()) return true;
    has_failed_ = true;
    on_error_(result.error());
    return false;
}

}  // namespace agents
