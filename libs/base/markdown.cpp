#include "base/markdown.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cstddef>

namespace base {

std::string code_block(std::string_view language, std::string_view text) {
    std::size_t longest = 0;
    std::size_t run = 0;
    for (char c : text) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    std::string fence(std::max<std::size_t>(3, longest + 1), '`');
    return concat(fence, language, "\n", text, text.ends_with('\n') ? "" : "\n", fence);
}

}  // namespace base
