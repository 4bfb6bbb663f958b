#include "output/redaction.hpp"

#include "base/text_parts.hpp"
#include "json/escape.hpp"
#include "output/visible_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace output {

namespace {

constexpr std::array<std::string_view, 5> secret_parts{"TOKEN", "SECRET", "PASSWORD", "API_KEY",
                                                       "CREDENTIAL"};
constexpr std::string_view further_names_variable = "BARNUM_REDACT";
constexpr std::size_t telling = 4;         // bytes: a part of a secret that is replaced where a text was cut
constexpr std::size_t most_hidden = 4096;  // bytes within a secret

char upper(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

// Calls `use` with each part of the text.
template<class Use>
void split(std::string_view text, char separator, Use&& use) {
    for (std::size_t end = text.find(separator); end != text.npos; end = text.find(separator)) {
        use(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    use(text);
}

std::size_t two_bytes(std::string_view text, std::size_t at) {
    return std::size_t{static_cast<unsigned char>(text[at])} << 8 | static_cast<unsigned char>(text[at + 1]);
}

}  // namespace

bool is_secret_name(std::string_view name, std::string_view further_names) {
    std::string upper_name(name);
    std::ranges::transform(upper_name, upper_name.begin(), upper);
    for (std::string_view part : secret_parts)
        if (upper_name.find(part) != std::string::npos) return true;
    bool is_further = false;
    split(further_names, ',', [&](std::string_view further) {
        is_further = is_further || (!name.empty() && base::trimmed(further) == name);
    });
    return is_further;
}

std::vector<std::string> secrets_of(const Variables& variables) {
    std::string further_names;
    for (const auto& [name, value] : variables)
        if (name == further_names_variable) further_names += "," + value;
    std::vector<std::string> secrets;
    for (const auto& [name, value] : variables)
        if (is_secret_name(name, further_names)) secrets.push_back(value);
    return secrets;
}

Redaction::Redaction(const std::vector<std::string>& secrets) {
    for (const std::string& secret : secrets) {
        add_forms(secret);
        split(secret, '\n', [this](std::string_view line) { add_forms(line); });
    }
    std::ranges::sort(secrets_);
    auto repeated = std::ranges::unique(secrets_);
    secrets_.erase(repeated.begin(), repeated.end());
    for (const std::string& secret : secrets_) {
        beginnings_.set(two_bytes(secret, 0));
        first_bytes_.set(static_cast<unsigned char>(secret[0]));
        longest_ = std::max(longest_, secret.size());
    }
}

void Redaction::add_forms(std::string_view secret) {
    if (secret.size() < shortest) return;
    secrets_.emplace_back(secret);
    if (VisibleText visible(secret, true); visible.text().size() >= shortest)
        secrets_.push_back(visible.text());
    for (json::Escapes escapes : {json::Escapes::required, json::Escapes::all_but_ascii}) {
        std::string escaped = json::escaped(secret, escapes);
        secrets_.push_back(json::escaped(escaped, json::Escapes::required));
        secrets_.push_back(std::move(escaped));
    }
}

std::size_t Redaction::candidate(std::string_view text, std::size_t at) const {
    if (secrets_.empty()) return text.size();
    for (; at + 1 < text.size(); ++at)
        if (beginnings_[two_bytes(text, at)]) return at;
    return at < text.size() && first_bytes_[static_cast<unsigned char>(text[at])] ? at : text.size();
}

Redaction::Match Redaction::match(std::string_view text) const {
    Match match;
    std::string_view beginning = text.substr(0, 2);
    auto secret = std::ranges::lower_bound(secrets_, beginning);
    for (; secret != secrets_.end() && secret->starts_with(beginning); ++secret) {
        if (text.starts_with(*secret))
            match.size = secret->size();  // they are sorted: no shorter one follows
        else if (secret->starts_with(text))
            match.may_be_longer = true;
    }
    return match;
}

std::string Redaction::redact(std::string_view text) const {
    std::string out;
    Redactor redactor(std::shared_ptr<const Redaction>(std::shared_ptr<void>(), this));
    redactor.add(text, out);
    redactor.finish(out);
    return out;
}

std::string Redaction::redact_quotes(std::string_view message) const {
    constexpr std::string_view mark = "…";
    std::string out;
    for (std::size_t end = message.find(mark); end != message.npos; end = message.find(mark)) {
        Redactor redactor(std::shared_ptr<const Redaction>(std::shared_ptr<void>(), this));
        redactor.add(message.substr(0, end), out);
        redactor.cut(out);
        out += mark;
        message.remove_prefix(end + mark.size());
        std::size_t cut = end_of_secret(message);
        if (cut > 0) out += replacement;
        message.remove_prefix(cut);
    }
    return out + redact(message);
}

std::size_t Redaction::end_of_secret(std::string_view text) const {
    const VisibleText visible(text.substr(0, longest_ + most_hidden), true);
    const std::string_view shown = visible.has_hidden() ? visible.text() : text;
    std::size_t longest = 0;
    for (const std::string& secret : secrets_)
        for (std::size_t size = secret.size() - 1; size >= telling && size > longest; --size)
            if (shown.starts_with(std::string_view(secret).substr(secret.size() - size))) longest = size;
    return longest == 0 ? 0 : visible.in_all(longest - 1) + 1;
}

Redaction::Found Redaction::find_visible(std::string_view text, bool is_end) const {
    Found found;
    std::size_t at = candidate(text, 0);
    for (; at < text.size(); at = candidate(text, at + 1)) {
        const Match match = this->match(text.substr(at));
        if (match.may_be_longer && !is_end) break;
        if (match.size == 0) continue;
        if (!found.secrets.empty() && at < found.secrets.back().end)
            found.secrets.back().end = std::max(found.secrets.back().end, at + match.size);
        else
            found.secrets.push_back({at, at + match.size});
    }
    found.decided = at;
    return found;
}

// A secret may also stand within an escape sequence, such as a title: so the text is searched as it is, and
// as it is shown.
Redaction::Found Redaction::find(std::string_view text, bool is_end) const {
    Found found = find_visible(text, is_end);
    const VisibleText visible(text, is_end);
    if (secrets_.empty() || !visible.has_hidden()) return found;
    Found shown = find_visible(visible.text(), is_end);
    found.decided = std::min(found.decided, visible.in_all(shown.decided));
    for (const Secret& secret : shown.secrets)
        found.secrets.push_back({visible.in_all(secret.begin), visible.in_all(secret.end - 1) + 1,
                                 visible.hidden_between(secret.begin, secret.end)});
    std::ranges::sort(found.secrets, {}, &Secret::begin);
    std::vector<Secret> joined;
    for (Secret& secret : found.secrets) {
        if (joined.empty() || secret.begin >= joined.back().end) {
            joined.push_back(std::move(secret));
        } else {
            joined.back().end = std::max(joined.back().end, secret.end);
            joined.back().hidden.clear();
        }
    }
    found.secrets = std::move(joined);
    return found;
}

TextFilter filter_with(std::shared_ptr<const Redaction> redaction) {
    return [redactor = Redactor(std::move(redaction))](std::string_view piece, bool is_end) mutable {
        std::string out;
        redactor.add(piece, out);
        if (is_end) redactor.finish(out);
        return out;
    };
}

void Redactor::add(std::string_view piece, std::string& out) {
    if (pending_.empty()) {
        scan(piece, false, out);
    } else {
        std::string text = std::exchange(pending_, {});
        text += piece;
        scan(text, false, out);
    }
    if (pending_.size() > redaction_->longest_ + most_hidden) cut(out);
}

void Redactor::finish(std::string& out) {
    std::string text = std::exchange(pending_, {});
    scan(text, true, out);
}

void Redactor::cut(std::string& out) {
    const VisibleText visible(pending_, true);
    if ((visible.has_hidden() ? visible.text() : pending_).size() < telling) return finish(out);
    if (covered_ == 0) out += Redaction::replacement;
    covered_ = 0;
    pending_.clear();
}

void Redactor::scan(std::string_view text, bool is_end, std::string& out) {
    const Redaction::Found found = redaction_->find(text, is_end);
    std::size_t begin = covered_;  // of what is neither in `out` nor a part of a secret
    for (const Redaction::Secret& secret : found.secrets) {
        if (secret.begin >= found.decided) break;
        if (begin <= secret.begin) {
            out += text.substr(begin, secret.begin - begin);
            out += Redaction::replacement;
            out += secret.hidden;
        }
        begin = std::max(begin, secret.end);
    }
    if (begin < found.decided) out += text.substr(begin, found.decided - begin);
    covered_ = std::max(begin, found.decided) - found.decided;
    pending_ = text.substr(found.decided);
}

}  // namespace output
