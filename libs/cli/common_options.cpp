#include "cli/common_options.hpp"

namespace cli {

Option root_option() {
    return {"root", directory("DIR", "the path of a directory"),
            "the directory that contains the pools, as DIR/pools/POOL (default: $TROUPE_ROOT, else "
            "$AGENT_POOL_ROOT, else /tmp/troupe)"};
}

Option log_level_option() {
    return {.name = "log-level",
            .value = choice("LEVEL", {{"off"}, {"error"}, {"warn"}, {"info"}, {"debug"}, {"trace"}})
                         .with_default("info"),
            .summary = "which messages are logged, on stderr",
            .letter = 'l'};
}

Option log_format_option() {
    return {.name = "log-format",
            .value = choice("HOW", {{"auto", "with priorities for the journal of systemd, else text"},
                                    {"text", "lines with time and level"},
                                    {"json", "a JSON object for each event"}})
                         .with_default("auto"),
            .summary = "how messages are logged"};
}

Option help_option() {
    return {.name = "help", .value = none(), .summary = "print this help", .letter = 'h'};
}

}  // namespace cli
