// The option --color.
#pragma once

#include "cli/option.hpp"

namespace barnum {

inline cli::Option color_option() {
    return {"color",
            cli::choice("WHEN", {{"auto", "on a terminal, unless NO_COLOR or CLICOLOR_FORCE says otherwise"},
                                 {"always"},
                                 {"never"}})
                .with_default("auto"),
            "when colors are used"};
}

}  // namespace barnum
