#include "serve/text_search.hpp"

#include "serve_log.hpp"
#include "statelog/entry_reader.hpp"

#include <memory>

using namespace serve_log;
using serve::EntrySearch;
using serve::Needle;

namespace {

std::shared_ptr<const config::WorkflowConfig> config() {
    statelog::EntryReader reader("LOG");
    auto fed = reader.feed(head, [](const statelog::Record&) -> base::Result<void> { return {}; });
    REQUIRE(fed.has_value());
    return reader.config();
}

bool is_found(const std::string& text, std::string line) {
    line.pop_back();
    return EntrySearch(text).is_in(line, *config());
}

}  // namespace

TEST_CASE("a text is found wherever it stands, regardless of the case of ASCII letters") {
    CHECK(Needle("abc").is_in("abc"));
    CHECK(Needle("abc").is_in("xxABcxx"));
    CHECK(Needle("ABC").is_in("xxabc"));
    CHECK(Needle("aab").is_in("aaaab"));
    CHECK(Needle("x").is_in("aX"));
    CHECK(Needle("é").is_in("caFé"));
    CHECK_FALSE(Needle("É").is_in("é"));
    CHECK_FALSE(Needle("abc").is_in("ab"));
    CHECK_FALSE(Needle("abc").is_in("abxabd"));
    CHECK_FALSE(Needle("[").is_in("{"));
    CHECK_FALSE(Needle("a").is_in(""));
}

TEST_CASE("a text is looked for in the value of a task") {
    std::string line = submitted(0, "Step", initial, R"({"file":"Läufer \"a\".txt","n":1.0})", 1000);
    line.replace(line.find("Step"), 4, "A");
    CHECK_FALSE(is_found("lÄufer", line));
    CHECK(is_found("LäuFER", line));
    CHECK(is_found(R"("a".TXT)", line));
    CHECK(is_found(R"("file":"L)", line));
    CHECK(is_found("1.0", line));
}

TEST_CASE("what else a line says is not found") {
    std::string line = submitted(17, "A", initial, "{}", 1000);
    for (const char* text : {"TaskSubmitted", "17", "initial", "\"A\"", "1000", "value"})
        CHECK_FALSE(is_found(text, line));
    std::string end = completed(17, success("[18]"), 1000, report);
    for (const char* text : {"success", "18", "claude"})
        CHECK_FALSE(is_found(text, end));
}

TEST_CASE("a text is looked for in the message and the response of a failure") {
    std::string line = completed(
        0, failure(R"({"kind":"InvalidResponse","message":"no \"B\"\nhere","response":"Dear user"})"), 1000);
    CHECK(is_found("no \"b\"\nHERE", line));
    CHECK(is_found("dear USER", line));
    CHECK_FALSE(is_found("InvalidResponse", line));
}
