// What an edge keeps for its next process: any bytes are read without harm, and what is read means the same
// when it is written again. Of a journal that was cut anywhere, all whole lines count.
#include "edge_shell/edge_id.hpp"
#include "edge_shell/journal_lines.hpp"
#include "edge_shell/notes.hpp"
#include "fuzz.hpp"

#include <string>
#include <string_view>

namespace {

using fuzz::must;
using namespace edge_shell;

void check_notes(std::string_view input) {
    if (auto note = parse_agent_note(input)) {
        auto again = parse_agent_note(to_json(*note));
        must(again.has_value(), "the note of an agent's task that was written is read");
        must(to_json(*again) == to_json(*note), "and means the same");
    }
    if (auto note = parse_submitter_note(input)) {
        auto again = parse_submitter_note(to_json(*note));
        must(again.has_value(), "the note of a submission that was written is read");
        must(to_json(*again) == to_json(*note), "and means the same");
    }
}

void check_journal(std::string_view input) {
    JournalReader whole;
    whole.add(input);
    JournalReader cut;
    for (fuzz::Pieces pieces(input); !pieces.done();)
        cut.add(pieces.next());
    must(whole.places() == cut.places() && whole.size() == cut.size() && whole.damaged() == cut.damaged(),
         "it doesn't matter how the journal is cut");
    must(whole.size() <= input.size(), "no line ends behind the journal");
    for (const auto& [key, place] : whole.places()) {
        std::string_view line = input.substr(place.offset, place.size);
        auto parsed = parse_journal_line(line.substr(0, line.size() - 1));
        must(parsed && parsed->key == key && parsed->text == text_of_put(line, key), "an entry has a line");
        check_notes(*parsed->text);
    }
}

// A journal that has this text, and is cut somewhere.
void check_written(std::string_view input) {
    const std::string text(input.substr(0, input.find('\n')));
    std::string lines;
    append_put(lines, "a", text);
    const std::size_t first = lines.size();
    append_put(lines, "b", text);
    const std::size_t size = fuzz::Pieces(input).below(lines.size() + 1);
    JournalReader reader;
    reader.add(std::string_view(lines).substr(0, size));
    must(reader.damaged() == 0, "a line that is cut is not damaged");
    must(reader.places().contains("a") == (size >= first), "a whole line counts");
    must(reader.places().contains("b") == (size == lines.size()), "an incomplete line doesn't");
    if (size >= first)
        must(text_of_put(std::string_view(lines).substr(0, first), "a") == text, "its text is kept");
}

}  // namespace

void fuzz::target(std::string_view input) {
    check_notes(input);
    check_journal(input);
    check_written(input);
    must(is_edge_id(new_edge_id(input, 7).text()), "an edge of any host has an id");
}
