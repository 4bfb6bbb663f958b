// Whatever the agents write, they and the programs beside them read: parks, and the lines of transcripts.
#include "agents/park.hpp"
#include "agents/transcript_lines.hpp"
#include "json/json.hpp"
#include "odd_data.hpp"
#include "seeds.hpp"

using workflow_test::OddData;

namespace {

constexpr std::uint32_t wanted_files = workflow_test::scaled(3'000, 300);

agents::Park::Time at(std::uint64_t seconds) {
    return agents::Park::Time(std::chrono::seconds(seconds));
}

agents::Park odd_park(OddData& data) {
    agents::Park park;
    park.account = {data.text(), data.bytes(4096), data.one_in(2) ? data.text() : ""};
    park.reason = data.text(500);
    park.since = at(1'795'390'000);
    park.until = park.since + std::chrono::seconds(data.number(8ULL * 24 * 3600));
    park.guesses = data.small_number();
    return park;
}

}  // namespace

TEST_CASE("whatever account has reached whatever limit, its park is read as it was written") {
    workflow_test::for_each_seed(wanted_files, {}, [](std::uint32_t seed) {
        OddData data(seed);
        agents::Park made = odd_park(data);
        auto read = agents::parse_park(agents::to_json(made), made.since);
        REQUIRE(read);
        CHECK(read->account == made.account);
        CHECK(agents::park_file_name(read->account) == agents::park_file_name(made.account));
        CHECK(read->reason == made.reason);
        CHECK(read->until == made.until);
        CHECK(read->guesses >= std::min(made.guesses, 10));
    });
}

TEST_CASE("whatever a program prints, its transcript is lines of JSON") {
    workflow_test::for_each_seed(wanted_files, {}, [](std::uint32_t seed) {
        OddData data(seed);
        agents::TranscriptLines lines(std::make_shared<const output::Redaction>(std::vector<std::string>{}));
        std::vector<agents::TranscriptRecord> records;
        using Source = agents::TranscriptLines::Source;
        for (int piece = 0; piece < 4; ++piece) {
            auto source = static_cast<Source>(data.below(4));
            std::string text = data.one_in(3) ? data.value() : data.bytes(data.one_in(10) ? 100'000 : 3'000);
            lines.add(source, text + "\n", std::chrono::milliseconds(data.number(1ULL << 60)), records);
        }
        lines.finish(std::chrono::milliseconds(0), records);
        for (const auto& record : records) {
            REQUIRE(record.text.find('\n') + 1 == record.text.size());
            CHECK_FALSE(json::check(record.text, json::Dialect::json, json::max_depth + 1));
        }
    });
}
