// A person's answer as it is kept in the directory of a run that does not live (docs/people.md). Pure.
#pragma once

#include "base/error.hpp"
#include "runs/control_message.hpp"
#include "runs/run_record.hpp"

#include <string>
#include <string_view>

namespace runs {

struct KeptAnswer {
    HumanAnswer answer;
    Time time;

    friend bool operator==(const KeptAnswer&, const KeptAnswer&) = default;
};

std::string to_json(const KeptAnswer& kept);
base::Result<KeptAnswer> parse_kept_answer(std::string_view text);

}  // namespace runs
