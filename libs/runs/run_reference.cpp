#include "runs/run_reference.hpp"

#include "base/text.hpp"

#include <boost/system/errc.hpp>

#include <algorithm>
#include <optional>
#include <string>

namespace runs {

namespace {

namespace errc = boost::system::errc;

// The one that was started last of those that `is_meant` accepts.
template<class IsMeant>
std::optional<std::size_t> last_of(const std::vector<RunRecord>& records, IsMeant is_meant) {
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < records.size(); ++i)
        if (is_meant(records[i]) && (!last || records[*last].started <= records[i].started)) last = i;
    return last;
}

base::Error none(std::string message) {
    return {errc::make_error_code(errc::no_such_file_or_directory), std::move(message)};
}

// The runs whose id begins so, and the last one of that name.
std::vector<std::size_t> matches_of(std::string_view reference, const std::vector<RunRecord>& records) {
    std::vector<std::size_t> matches;
    for (std::size_t i = 0; i < records.size(); ++i)
        if (reference.size() >= shortest_prefix && records[i].id.starts_with(reference)) matches.push_back(i);
    auto named = last_of(
        records, [&](const RunRecord& record) { return !record.name.empty() && record.name == reference; });
    if (named && std::ranges::find(matches, *named) == matches.end()) matches.push_back(*named);
    return matches;
}

base::Error ambiguous(std::string_view reference, const std::vector<std::size_t>& matches,
                      const std::vector<RunRecord>& records) {
    std::string text = base::concat("several runs match ", reference, "; give more of the id:");
    for (std::size_t index : matches)
        text += base::concat("\n  ", records[index].id, "  ", records[index].name);
    return base::invalid(std::move(text));
}

base::Error unknown(std::string_view reference) {
    if (reference.size() >= shortest_prefix)
        return none(
            base::concat("there is neither a run nor a file ", reference, "; `barnum ps -a` lists the runs"));
    return none(base::concat("there is neither a run nor a file ", reference,
                             "; the beginning of an id needs at least ", shortest_prefix, " characters"));
}

}  // namespace

bool is_name(std::string_view text) {
    constexpr std::size_t longest = 64;
    auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    auto may_follow = [&](char c) { return is_letter(c) || c == '_' || c == '-' || c == '.'; };
    return !text.empty() && text.size() <= longest && is_letter(text.front()) &&
           std::ranges::all_of(text, may_follow) && text != "last";
}

std::optional<std::size_t> last_in_chain(const std::vector<RunRecord>& records, std::string id) {
    std::optional<std::size_t> found;
    for (std::size_t steps = 0; steps < records.size(); ++steps) {
        auto at = last_of(records, [&](const RunRecord& record) { return record.resumes == id; });
        if (!at) break;
        found = at;
        id = records[*at].id;
    }
    return found;
}

base::Result<std::size_t> find_run(std::string_view reference, const std::vector<RunRecord>& records,
                                   std::string_view directory) {
    std::optional<std::size_t> found;
    if (reference == "last") {
        found = last_of(records, [](const RunRecord&) { return true; });
        if (!found) return none("there is no run yet");
        return *found;
    }
    if (reference == "@") {
        found = last_of(records, [&](const RunRecord& record) { return record.directory == directory; });
        if (!found) return none(base::concat("no run was started in ", directory));
        return *found;
    }
    found = last_of(records, [&](const RunRecord& record) { return record.id == reference; });
    if (found) return *found;
    auto matches = matches_of(reference, records);
    if (matches.empty()) return unknown(reference);
    if (matches.size() > 1) return ambiguous(reference, matches, records);
    return matches.front();
}

std::optional<ChainLink> link_among(const std::vector<std::string>& ids,
                                    const std::vector<RunRecord>& records) {
    auto is_among = [&](const std::string& id) { return std::ranges::find(ids, id) != ids.end(); };
    for (const RunRecord& link : records) {
        if (!is_among(link.id) || link.resumes.empty() || is_among(link.resumes)) continue;
        const bool has_earlier = std::ranges::find(records, link.resumes, &RunRecord::id) != records.end();
        auto later = last_of(records, [&](const RunRecord& record) {
            return record.resumes == link.id && !is_among(record.id);
        });
        if (has_earlier && later) return ChainLink{link.id, link.resumes, records[*later].id};
    }
    return std::nullopt;
}

}  // namespace runs
