// Whatever commands write, their kept output is read as it was written.
#include "odd_data.hpp"
#include "output/record.hpp"
#include "output/source.hpp"
#include "seeds.hpp"

using workflow_test::OddData;

namespace {

constexpr std::uint32_t wanted_records = workflow_test::scaled(3'000, 300);

output::Record odd_output(OddData& data, std::string& bytes) {
    bytes = data.bytes(data.one_in(2) ? output::longest_record : 100);
    return {data.number(), data.one_in(2) ? output::Stream::out : output::Stream::err,
            output::Time(std::chrono::milliseconds(data.number())), data.number(), bytes};
}

}  // namespace

TEST_CASE("whatever bytes a record of the output has, it is read as it was written") {
    workflow_test::for_each_seed(wanted_records, {}, [](std::uint32_t seed) {
        OddData data(seed);
        std::string one;
        std::string other;
        output::Record first = odd_output(data, one);
        output::Record second = odd_output(data, other);
        std::string text;
        output::append_record(text, first);
        output::append_record(text, second);
        std::string_view rest = text;
        CHECK(output::take_record(rest) == first);
        CHECK(output::take_record(rest) == second);
        CHECK(rest.empty());
    });
}

TEST_CASE("whatever a step is called, its line in the index is read as it was written") {
    workflow_test::for_each_seed(wanted_records, {}, [](std::uint32_t seed) {
        OddData data(seed);
        output::Source made;
        made.number = data.number();
        made.task = data.number();
        made.step = data.name();
        made.attempt = static_cast<std::uint32_t>(data.number(0xffffffff));
        made.phase = data.name();
        made.segment = static_cast<std::uint32_t>(data.number(0xffffffff));
        if (data.one_in(2)) made.limit = data.number();
        std::string line = output::index_line(made);
        CHECK(line.find('\n') + 1 == line.size());
        CHECK(output::parse_index_line(line) == made);
    });
}
