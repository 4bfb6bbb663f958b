#include "pool_protocol/daemon_end.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "pool_protocol/fields.hpp"

namespace pool_protocol {

std::string to_json(const DaemonEnd& end) {
    return base::concat(R"({"kind":"Ended","drained":)", end.has_drained ? "true" : "false",
                        ",\"kept_answers\":", end.kept_answers, "}");
}

std::optional<DaemonEnd> parse_daemon_end(std::string_view text) {
    auto document = json::checked(text);
    if (!document || !document->is(json::Kind::object) || text_in(*document, "kind") != "Ended")
        return std::nullopt;
    return DaemonEnd{is_true(document->find("drained")), count_in(*document, "kept_answers")};
}

std::string kept_answers_warning(std::uint64_t kept) {
    return base::concat("the engine has not got ", base::counted(kept, "answer"),
                        " of agents here, which this host keeps: start the pool here again soon, or their "
                        "submitters are told that the host was lost");
}

}  // namespace pool_protocol
