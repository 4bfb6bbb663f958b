// The files of kept output: any bytes are read without harm. What is read as a record or as a line of the
// index means the same when it is written again, and the text of the lines is that of the records.
#include "fuzz.hpp"
#include "output/lines.hpp"
#include "output/record.hpp"
#include "output/source.hpp"

#include <string>
#include <string_view>

namespace {

using fuzz::must;

void check_record(const output::Record& record) {
    std::string text;
    append_record(text, record);
    std::string_view rest = text;
    must(output::take_record(rest) == record && rest.empty(), "a record is read as it was written");
}

void check_segment(std::string_view input) {
    std::size_t bytes = 0;
    std::size_t shown = 0;
    output::Lines lines([&](const output::Line& line) { shown += line.text.size(); });
    for (std::string_view before = input; auto record = output::take_record(input); before = input) {
        must(input.size() < before.size() && before.ends_with(input), "a record is taken off the beginning");
        check_record(*record);
        lines.add(*record);
        bytes += record->bytes.size();
    }
    lines.finish();
    must(shown <= bytes, "lines have no more text than the records");
}

void check_index(std::string_view input) {
    auto source = output::parse_index_line(input.substr(0, input.find('\n')));
    if (!source) return;
    auto again = output::parse_index_line(index_line(*source));
    must(again.has_value(), "a line that was written is read");
    must(index_line(*again) == index_line(*source), "and means the same");
}

// A segment that begins with a record of these bytes, and goes on with them.
void check_written(std::string_view input) {
    std::string text;
    output::append_record(text, {1, output::Stream::err, output::Time(), 7, input});
    text += input;
    std::string_view rest = text;
    auto record = output::take_record(rest);
    must(record && record->bytes == input && rest == input, "bytes are kept as they are");
    check_segment(text);
}

}  // namespace

void fuzz::target(std::string_view input) {
    check_segment(input);
    check_index(input);
    check_written(input);
}
