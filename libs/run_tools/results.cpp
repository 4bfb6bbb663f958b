#include "run_tools/results.hpp"

#include "base/text.hpp"
#include "base/utc_text.hpp"
#include "json/json.hpp"
#include "json/number.hpp"
#include "mcp/excerpt.hpp"

namespace run_tools {

using base::concat;
using json::quote;

namespace {

constexpr std::size_t longest_message = 1'500;

std::string problem_text(const config::Problem& problem) {
    auto cut = [](std::string_view text) { return quote(mcp::excerpt(text, longest_message)); };
    std::string place = problem.line == 0
                            ? std::string()
                            : concat(",\"line\":", problem.line, ",\"column\":", problem.column);
    std::string excerpt = problem.excerpt.empty() ? "" : concat(",\"excerpt\":", cut(problem.excerpt));
    return concat("{\"file\":", quote(problem.file), place, ",\"message\":", cut(problem.message), excerpt,
                  "}");
}

FittedList problem_list(const config::Problems& problems, std::size_t room) {
    std::vector<std::string> texts;
    for (const config::Problem& problem : problems.shown)
        texts.push_back(problem_text(problem));
    FittedList list = fitted(texts, room);
    list.left_out += problems.omitted;
    return list;
}

std::string left_out_member(std::size_t count) {
    return count == 0 ? "" : concat(",\"left_out\":", count);
}

std::string time_text(runs::Time time) {
    return quote(base::utc_text(time));
}

}  // namespace

std::string mcp_member(std::string_view name, std::string_view text) {
    return text.empty() ? "" : concat(",\"", name, "\":", quote(text));
}

FittedList fitted(const std::vector<std::string>& elements, std::size_t room) {
    FittedList list;
    for (const std::string& element : elements) {
        if (list.left_out > 0 || list.elements.size() + element.size() + 1 > room) {
            ++list.left_out;
            continue;
        }
        list.elements += concat(list.elements.empty() ? "" : ",", element);
    }
    return list;
}

std::string invalid_result(const config::Problems& problems) {
    FittedList list = problem_list(problems, mcp_room);
    return concat(R"({"kind":"Invalid","mistakes":[)", list.elements, "]", left_out_member(list.left_out),
                  "}");
}

std::string valid_result(const config::Problems& warnings, std::string_view transitions) {
    std::string_view shown = mcp::excerpt(transitions, mcp_room / 2);
    FittedList list = problem_list(warnings, mcp_room / 2);
    return concat(R"({"kind":"Valid","warnings":[)", list.elements, "]", left_out_member(list.left_out),
                  ",\"transitions\":", quote(shown), "}");
}

bool waits_for_people(const runs::RunRecord& record) {
    return record.tasks.asked > 0 && record.tasks.asked == record.tasks.left;
}

std::string run_members(const runs::FoundRun& run, runs::RunState state) {
    const runs::RunRecord& record = run.record;
    std::string end = record.end ? concat(",\"ended\":", time_text(record.end->time),
                                          ",\"exit_code\":", record.end->exit_code,
                                          ",\"result\":", quote(record.end->result))
                                 : std::string();
    std::string usd = record.usd ? concat(",\"usd\":", json::number_text(*record.usd)) : "";
    return concat("\"run\":", quote(record.id), mcp_member("name", record.name),
                  mcp_member("config", record.config), ",\"directory\":", quote(record.directory),
                  ",\"state\":\"", state_name(state), "\",\"started\":", time_text(record.started), end,
                  ",\"done\":", record.tasks.done, ",\"left\":", record.tasks.left,
                  ",\"dropped\":", record.tasks.dropped, ",\"waiting_for_people\":", record.tasks.asked, usd,
                  mcp_member("resumes", record.resumes), mcp_member("retries", record.retries));
}

}  // namespace run_tools
