#include "pool/reply_cache.hpp"

namespace pool {

void ReplyCache::remember(const SubmissionId& id, std::string answer_json, Time now) {
    drop_old(now);
    if (contains(id)) return;
    text_bytes_ += answer_json.size();
    answers_.emplace(id, std::move(answer_json));
    by_age_.emplace_back(now, id);
    with_text_.push_back(id);
    make_room();
}

std::optional<std::string> ReplyCache::answer(const SubmissionId& id) const {
    auto found = answers_.find(id);
    return found == answers_.end() ? std::nullopt : found->second;
}

void ReplyCache::drop_old(Time now) {
    while (!by_age_.empty() && (by_age_.size() > max_ids || by_age_.front().first + lifetime < now)) {
        const SubmissionId& id = by_age_.front().second;
        if (!with_text_.empty() && with_text_.front() == id) {
            text_bytes_ -= answers_.at(id)->size();
            with_text_.pop_front();
        }
        answers_.erase(id);
        by_age_.pop_front();
    }
}

void ReplyCache::make_room() {
    while (text_bytes_ > max_text_bytes) {
        std::optional<std::string>& text = answers_.at(with_text_.front());
        text_bytes_ -= text->size();
        text.reset();
        with_text_.pop_front();
    }
}

}  // namespace pool
