#include "base/spliced_text.hpp"

#include <catch2/catch.hpp>

using base::SplicedText;

TEST_CASE("a long text is its pieces, one after the other") {
    auto value = std::make_shared<const std::string>("value");
    for (const auto& [text, whole] :
         {std::pair(SplicedText("before ", value, " after"), "before value after"),
          std::pair(SplicedText("", value, ""), "value"), std::pair(SplicedText("alone"), "alone"),
          std::pair(SplicedText(std::string("alone")), "alone"),
          std::pair(SplicedText("before", nullptr, " after"), "before after"),
          std::pair(SplicedText(), "")}) {
        CHECK(text.text() == whole);
        CHECK(text.size() == text.text().size());
        std::string joined;
        for (std::string_view piece : text.pieces())
            joined += piece;
        CHECK(joined == whole);
    }
}
