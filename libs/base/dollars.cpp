#include "base/dollars.hpp"

#include <cstdio>

namespace base {

std::string dollars_text(double usd) {
    constexpr double small = 0.1;
    char amount[400];
    std::snprintf(amount, sizeof amount, usd > 0 && usd < small ? "$%.4f" : "$%.2f", usd);
    return amount;
}

}  // namespace base
