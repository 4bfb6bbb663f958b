#include "web/report_page.hpp"

#include "base/base64.hpp"
#include "base/text.hpp"
#include "web/assets.hpp"

namespace web {

namespace {

std::string escaped(std::string_view text) {
    std::string out;
    for (char c : text) {
        if (c == '<')
            out += "&lt;";
        else if (c == '&')
            out += "&amp;";
        else
            out += c;
    }
    return out;
}

std::string_view text_of(std::string_view path) {
    return find_asset(path)->text;
}

}  // namespace

std::string report_head(std::string_view title) {
    return base::concat("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
                        "<meta http-equiv=\"Content-Security-Policy\" content=\"", report_policy(), "\">\n",
                        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
                        "<meta name=\"color-scheme\" content=\"light dark\">\n",
                        "<meta name=\"referrer\" content=\"no-referrer\">\n", "<title>", escaped(title),
                        "</title>\n",
                        "<link rel=\"icon\" type=\"image/svg+xml\" href=\"data:image/svg+xml;base64,",
                        base::to_base64(text_of("/icon.svg")), "\">\n<style>", text_of("/app.css"),
                        "</style>\n</head>\n<body>\n<noscript>This page needs JavaScript.</noscript>\n",
                        "<script type=\"application/json\" id=\"barnum-report\">");
}

std::string report_tail() {
    return base::concat("</script>\n<script type=\"module\">", text_of("/app.js"),
                        "</script>\n</body>\n</html>\n");
}

}  // namespace web
