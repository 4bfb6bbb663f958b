#include "pool_daemon/answered.hpp"

namespace pool_daemon {

namespace {

constexpr std::chrono::hours remembered_for{1};
constexpr std::size_t most_ids = 100'000;
constexpr std::size_t most_text = std::size_t{16} << 20;

}  // namespace

void Answered::remember(const std::string& id, std::string answer_json) {
    Time now = std::chrono::steady_clock::now();
    drop_old(now);
    if (contains(id)) return;
    text_bytes_ += answer_json.size();
    answers_.emplace(id, std::move(answer_json));
    by_age_.emplace_back(now, id);
    with_text_.push_back(id);
    make_room();
}

std::optional<std::string> Answered::answer(const std::string& id) const {
    auto found = answers_.find(id);
    return found == answers_.end() ? std::nullopt : found->second;
}

void Answered::drop_old(Time now) {
    while (!by_age_.empty() && (by_age_.size() > most_ids || by_age_.front().first + remembered_for < now)) {
        const std::string& id = by_age_.front().second;
        if (!with_text_.empty() && with_text_.front() == id) {
            text_bytes_ -= answers_.at(id)->size();
            with_text_.pop_front();
        }
        answers_.erase(id);
        by_age_.pop_front();
    }
}

void Answered::make_room() {
    while (text_bytes_ > most_text) {
        std::optional<std::string>& text = answers_.at(with_text_.front());
        text_bytes_ -= text->size();
        text.reset();
        with_text_.pop_front();
    }
}

}  // namespace pool_daemon
