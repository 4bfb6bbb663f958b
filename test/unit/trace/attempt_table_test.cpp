#include "trace/attempt_table.hpp"

#include "trace_helper.hpp"

using namespace trace;

namespace {

std::string table(const std::string& text, AttemptTable::Format format) {
    Trace made = traced(text);
    AttemptTable table(made, lines_of(text), format);
    std::string out = table.head();
    for (Row row = 0; row < made.position().rows; ++row)
        REQUIRE(table.append(out, row).has_value());
    return out;
}

std::string csv_line(const std::string& text, Row row) {
    std::string all = table(text, AttemptTable::Format::csv);
    std::size_t begin = 0;
    for (Row i = 0; i <= row; ++i)
        begin = all.find("\r\n", begin) + 2;
    return all.substr(begin, all.find("\r\n", begin) - begin);
}

std::string log_of_step(const std::string& name) {
    std::string config = R"({"entrypoint":)" + name + R"(,"steps":[{"name":)" + name +
                         R"(,"action":{"kind":"Command","script":"a"},"next":[]}]})";
    return R"({"kind":"Config","config":)" + config + R"(,"directory":"/","time":1})" + "\n" +
           R"({"kind":"TaskSubmitted","task_id":0,"step":)" + name +
           R"(,"value":1,"parent_id":null,"origin":"Initial"})" + "\n";
}

}  // namespace

TEST_CASE("the table has a line for each attempt") {
    std::string end =
        reported(succeeded(3, "[]"), R"({"kind":"claude","model":"opus","input_tokens":9,"cached_tokens":4,)"
                                     R"("output_tokens":2,"usd":0.01})");
    end = at(end, 1'763'719'591'831, 1'763'719'591'417);
    end.insert(end.size() - 2,
               R"(,"measured":{"cpu_ms":7,"peak_memory_bytes":12,"pre_ms":1,"action_ms":40})");
    std::string text = retried + end;
    CHECK(csv_line(text, 0) ==
          "0,0,,A,false,1,,succeeded,,,,1970-01-01T00:00:00.001Z,1970-01-01T00:00:01.000Z,"
          "1970-01-01T00:00:02.000Z,999,,1000,,,,,,,");
    CHECK(csv_line(text, 2).starts_with("2,2,0,B,false,1,,retried,Timeout,,,"));
    CHECK(csv_line(text, 3) ==
          "2,3,0,B,false,2,claude opus,succeeded,,,,1970-01-01T00:00:04.500Z,2025-11-21T10:06:31.417Z,"
          "2025-11-21T10:06:31.831Z,1763719586917,1,40,,9,4,2,0.01,7,12");
    CHECK(csv_line(text, 1).starts_with("1,1,0,B,false,1,,open,,,,1970-01-01T00:00:02.000Z,,,,"));
    CHECK(csv_line(over, 1).find(",dropped,CommandFailed,3,,") != std::string::npos);
    CHECK(csv_line(over, 4).starts_with("4,4,,A,true,1,,succeeded,"));

    std::string json = table(text, AttemptTable::Format::json);
    CHECK(
        json.find(R"({"task":2,"id":3,"parent":0,"step":"B","finally":false,"attempt":2,)"
                  R"("agent":"claude opus","state":"succeeded","reason":null,"exit_code":null,"signal":null,)"
                  R"("submitted":4500,"started":1763719591417,"ended":1763719591831,)"
                  R"("waiting_ms":1763719586917,"pre_ms":1,"action_ms":40,"post_ms":null,)"
                  R"("input_tokens":9,"cached_tokens":4,"output_tokens":2,"cost_usd":0.01,"cpu_ms":7,)"
                  R"("peak_memory_bytes":12})"
                  "\n") != std::string::npos);
}

TEST_CASE("texts are quoted as RFC 4180 wants it, and are no formulas") {
    auto step = [](const std::string& name) { return csv_line(log_of_step(name), 0); };
    CHECK(step(R"("a,b")").starts_with(R"(0,0,,"a,b",false)"));
    CHECK(step(R"("a\"b")").starts_with(R"(0,0,,"a""b",false)"));
    CHECK(step(R"("=1+1")").starts_with("0,0,,'=1+1,false"));
    CHECK(step(R"("@SUM,1")").starts_with(R"(0,0,,"'@SUM,1",false)"));
    CHECK(step(R"("a=b")").starts_with("0,0,,a=b,false"));
    CHECK(table(log_of_step(R"("=1+1")"), AttemptTable::Format::json).find(R"("step":"=1+1")") !=
          std::string::npos);
}
