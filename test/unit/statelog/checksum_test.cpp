#include "base/text.hpp"
#include "log_text.hpp"
#include "statelog/checksum_writer.hpp"
#include "statelog/line_checksum.hpp"

using namespace statelog;

namespace {

const std::string without = config_line + submitted(0, "A", "null", initial) + succeeded(0, "[1]") +
                            submitted(1, "B", "0", spawned) + succeeded(1, "[]");

const std::string& with() {
    static const std::string text = ChecksumWriter().write(without);
    return text;
}

std::size_t line_start(const std::string& text, int line) {
    std::size_t at = 0;
    for (int i = 1; i < line; ++i)
        at = text.find('\n', at) + 1;
    return at;
}

std::string replaced(std::string text, int line, const std::string& old, const std::string& by) {
    std::size_t at = text.find(old, line_start(text, line));
    REQUIRE(at < text.find('\n', line_start(text, line)));
    return text.replace(at, old.size(), by);
}

auto place_of(int line) {
    return Catch::Contains(base::concat("line ", line, ", byte ", line_start(with(), line), ":"));
}

}  // namespace

TEST_CASE("a_log_with_checksums_and_one_without_are_read_alike") {
    CHECK(replayed(with()).replay.state().tasks.size() == replayed(without).replay.state().tasks.size());
    CHECK(replayed(with()).replay.header().has_checksum);
    CHECK_FALSE(replayed(without).replay.header().has_checksum);
}

TEST_CASE("a_changed_value_is_told_with_its_line_and_with_what_to_do") {
    CHECK_THAT(refusal(replaced(with(), 1, R"("script":"a")", R"("script":"c")")),
               place_of(1) && Catch::Contains("does not match its checksum") &&
                   Catch::EndsWith("`barnum inspect --accept-edits LOG` accepts that"));
    CHECK_THAT(refusal(replaced(with(), 4, R"("value":{})", R"("value":[])")),
               place_of(4) && Catch::Contains("`head -c") && Catch::Contains("--accept-edits"));
    CHECK_THAT(refusal(replaced(with(), 5, R"("checksum":")", R"("checksum":"0)")), place_of(5));
}

TEST_CASE("a_log_whose_line_ends_were_converted_is_damaged_unless_it_has_no_checksums") {
    auto converted = [](std::string text) {
        for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 2))
            text.insert(at, "\r");
        return text;
    };
    CHECK_THAT(refusal(converted(with())), place_of(1));
    CHECK(replayed(converted(without)).replay.state().tasks.size() ==
          replayed(without).replay.state().tasks.size());
}

TEST_CASE("a_log_has_checksums_in_every_line_or_in_none") {
    std::string end = succeeded(1, "[]");
    std::string head = with().substr(0, line_start(with(), 5));
    CHECK_THAT(refusal(head + end), place_of(5) && Catch::Contains("has no checksum"));
    std::string plain = without.substr(0, line_start(without, 5));
    CHECK_THAT(refusal(plain + ChecksumWriter().write(end)),
               Catch::Contains("line 5") && Catch::Contains("has a checksum, and the first one has none"));
}

TEST_CASE("only_a_line_with_its_newline_is_held_against_its_checksum") {
    std::string torn = with() + R"({"kind":"TaskCompl)";
    CHECK(replayed(torn).tail.torn_line);
    CHECK(replayed(torn).tail.committed_bytes == with().size());
    std::string group = with().substr(0, line_start(with(), 4));
    CHECK(replayed(group).tail.torn_group);
    CHECK(replayed(group).tail.committed_bytes == line_start(with(), 3));
}

TEST_CASE("edits_are_accepted_where_checksums_are_ignored") {
    Replay replay("LOG", {}, Checksums::ignored);
    CHECK(
        replay.feed(replaced(with(), 4, R"("value":{})", R"("value":[])") + succeeded(9, "[]")).has_error());
    Replay other("LOG", {}, Checksums::ignored);
    CHECK(other.feed(replaced(with(), 4, R"("value":{})", R"("value":[])")).has_value());
}

TEST_CASE("lines_written_anew_have_right_checksums_and_are_otherwise_as_they_were") {
    ChecksumWriter writer;
    std::string edited = replaced(with(), 4, R"("value":{})", R"("value":[])") + "{\"kind\":1 }\r\n{\"to";
    std::string out;
    for (char c : edited)
        out += writer.write(std::string(1, c));
    CHECK(writer.rest() == "{\"to");
    CHECK(writer.wrong() == 1);
    CHECK(writer.missing() == 1);
    CHECK(out.starts_with(with().substr(0, line_start(with(), 4))));
    for (int line = 1; line <= 6; ++line) {
        std::size_t at = line_start(out, line);
        CHECK(checksum_of(std::string_view(out).substr(at, out.find('\n', at) - at)) == Checksum::right);
    }
    CHECK(out.substr(line_start(out, 6), 20) == R"({"kind":1,"checksum")");
}

TEST_CASE("a_checksum_that_an_editor_has_set_in_spaces_is_replaced") {
    CHECK(ChecksumWriter().write("{\"a\":1, \"checksum\": \"0\" }\n") ==
          ChecksumWriter().write("{\"a\":1}\n"));
}
