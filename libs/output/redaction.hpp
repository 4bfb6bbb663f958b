// Replaces the values of secret variables in text that is kept, such as transcripts. A variable is secret by
// its name; secrets that are in no variable are not known, and are kept. Escape sequences and control
// characters within a secret do not hide it. Pure.
#pragma once

#include <bitset>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace output {

using Variables = std::vector<std::pair<std::string, std::string>>;  // name, value

// Whether a variable of this name holds a secret: the name contains TOKEN, SECRET, PASSWORD, API_KEY or
// CREDENTIAL, in upper or lower case, or is one of `further_names`, which are separated by commas.
bool is_secret_name(std::string_view name, std::string_view further_names);

// The values of the secret variables. The names in the value of BARNUM_REDACT are secret as well.
std::vector<std::string> secrets_of(const Variables& variables);

// The texts to look for, for any number of streams.
class Redaction {
  public:
    // A shorter secret is not replaced: it would be found everywhere.
    static constexpr std::size_t shortest = 6;  // bytes
    static constexpr std::string_view replacement = "***";

    // Each secret is found as it is and as JSON strings contain it, which may be in JSON themselves. Of a
    // secret with several lines, each line is a secret, too. What is hidden within a secret (VisibleText)
    // stays behind the replacement, so that colors end where they would.
    explicit Redaction(const std::vector<std::string>& secrets);

    // The whole text with each secret replaced. Secrets that overlap are replaced as one.
    std::string redact(std::string_view text) const;
    // Does what redact() does, for a message that quotes parts of texts: where a quote was cut, which "…"
    // marks, the beginning of a secret before it and the end of one after it are replaced as well if they
    // have 4 bytes or more.
    std::string redact_quotes(std::string_view message) const;

  private:
    friend class Redactor;
    struct Match {
        std::size_t size = 0;        // of the longest secret here; 0 if there is none
        bool may_be_longer = false;  // the text ends within a secret
    };
    // A secret that stands in a text.
    struct Secret {
        std::size_t begin = 0;
        std::size_t end = 0;
        std::string hidden = {};  // what stands between its characters
    };
    struct Found {
        std::vector<Secret> secrets;  // by their beginnings, none overlaps another
        std::size_t decided = 0;      // the secrets that begin before are known
    };
    void add_forms(std::string_view secret);
    // `is_end` is as for VisibleText, without which a secret may end in the text to come.
    Found find(std::string_view text, bool is_end) const;
    // Finds the secrets in the text as it stands.
    Found find_visible(std::string_view text, bool is_end) const;
    // The first position from `at` where a secret may begin; the text's size if there is none.
    std::size_t candidate(std::string_view text, std::size_t at) const;
    Match match(std::string_view text) const;
    // The size of the longest end of a secret with which the text begins; 0 if it is shorter than 4 bytes.
    std::size_t end_of_secret(std::string_view text) const;

    std::vector<std::string> secrets_;  // sorted; each once
    std::size_t longest_ = 0;           // bytes
    std::bitset<65536> beginnings_;     // the first two bytes of secrets
    std::bitset<256> first_bytes_;
};

// Takes a text in pieces of any size, and gives what may be kept of it so far, with `is_end` all the rest.
using TextFilter = std::function<std::string(std::string_view piece, bool is_end)>;

// A filter for one text.
TextFilter filter_with(std::shared_ptr<const Redaction> redaction);

// Redacts a text that arrives in pieces of any size, also a secret that is split over pieces.
class Redactor {
  public:
    explicit Redactor(std::shared_ptr<const Redaction> redaction) : redaction_(std::move(redaction)) {}

    // Appends to `out` what is certain now. At most the beginning of a secret is held back, with up to 4 KiB
    // of what is hidden in it.
    void add(std::string_view piece, std::string& out);
    // The text has ended.
    void finish(std::string& out);
    // The text was cut here.
    void cut(std::string& out);

  private:
    void scan(std::string_view text, bool is_end, std::string& out);

    std::shared_ptr<const Redaction> redaction_;
    std::string pending_;      // what may be the beginning of a secret
    std::size_t covered_ = 0;  // the first bytes of the text to come that belong to a replaced secret
};

}  // namespace output
