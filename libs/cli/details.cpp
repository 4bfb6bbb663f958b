#include "cli/details.hpp"

#include "base/character.hpp"

#include <algorithm>
#include <utility>

namespace cli {

namespace {

constexpr std::string_view exit_heading = "Exit codes: ";

std::string_view take_until(std::string_view& text, std::string_view mark) {
    auto end = std::min(text.find(mark), text.size());
    std::string_view taken = text.substr(0, end);
    text.remove_prefix(std::min(end + mark.size(), text.size()));
    return taken;
}

// "130 and 143 ended by a signal": the codes are the words up to the last one in front that begins with a
// digit.
ExitMeaning exit_meaning(std::string_view item) {
    std::size_t codes = 0;
    for (std::size_t at = 0; at < item.size();) {
        std::string_view word = item.substr(at, item.find(' ', at) - at);
        bool is_code = base::is_digit(word.front());
        if (!is_code && word != "and") break;
        at = std::min(at + word.size() + 1, item.size());
        if (is_code) codes = at;
    }
    ExitMeaning made{std::string(item.substr(0, codes)), std::string(item.substr(codes))};
    if (made.codes.ends_with(' ')) made.codes.pop_back();
    return made;
}

void read_exit_codes(std::string_view text, Details& details) {
    std::string_view sentence = take_until(text, ". ");
    if (sentence.ends_with('.')) sentence.remove_suffix(1);
    while (!sentence.empty())
        details.exit_codes.push_back(exit_meaning(take_until(sentence, "; ")));
    details.exit_remark = text;
}

// Takes the lines one after the other.
class BlockReader {
  public:
    void line(std::string_view line) {
        if (line.empty()) {
            open_ = false;
        } else if (line.starts_with("  ")) {
            indented(line);
        } else if (line == "Examples:") {
            in_examples_ = true;
            open_ = false;
        } else {
            in_examples_ = false;
            append(Block::Form::prose, line, " ");
        }
    }

    Details finish() {
        auto is_exit = [](const Block& block) { return block.text.starts_with(exit_heading); };
        auto& blocks = details_.description;
        if (auto found = std::find_if(blocks.begin(), blocks.end(), is_exit); found != blocks.end()) {
            read_exit_codes(std::string_view(found->text).substr(exit_heading.size()), details_);
            blocks.erase(found);
        }
        return std::move(details_);
    }

  private:
    std::vector<Block>& blocks() { return in_examples_ ? details_.examples : details_.description; }

    void indented(std::string_view line) {
        bool remark = in_examples_ && line.starts_with("      ") && open_;
        if (remark)
            append(Block::Form::remark, line.substr(line.find_first_not_of(' ')), " ");
        else
            append(Block::Form::verbatim, line.substr(2), "\n");
    }

    void append(Block::Form form, std::string_view text, std::string_view glue) {
        if (open_ && !blocks().empty() && blocks().back().form == form)
            blocks().back().text.append(glue).append(text);
        else
            blocks().push_back({form, std::string(text)});
        open_ = true;
    }

    Details details_;
    bool in_examples_ = false;
    bool open_ = false;  // the last block may go on
};

}  // namespace

Details read_details(std::string_view text) {
    BlockReader reader;
    while (!text.empty())
        reader.line(take_until(text, "\n"));
    return reader.finish();
}

}  // namespace cli
