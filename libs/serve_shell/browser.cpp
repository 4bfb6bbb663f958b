#include "serve_shell/browser.hpp"

#include "base/text.hpp"
#include "io/directory.hpp"
#include "io/log.hpp"
#include "process/child_process.hpp"

#include <filesystem>
#include <utility>

namespace serve_shell {

namespace {

constexpr const char* file_name = "open.html";

std::string page_to(const std::string& url) {
    return base::concat("<!doctype html>\n<meta charset=\"utf-8\">\n<title>Barnum</title>\n",
                        "<meta http-equiv=\"refresh\" content=\"0;url=", url, "\">\n");
}

base::Result<std::string> write_page(const std::string& url, const std::string& directory) {
    std::error_code ignored;
    auto opened = io::Directory::open(std::filesystem::weakly_canonical(directory, ignored).string());
    if (!opened) return opened.error();
    if (auto written = opened->write_in_place(file_name, page_to(url)); !written) return written.error();
    return opened->path_of(file_name);
}

}  // namespace

boost::asio::awaitable<void> open_browser(std::string url, std::string directory) {
    auto page = write_page(url, directory);
    if (!page) {
        io::log::warn("cannot open the browser: ", page.error().message);
        co_return;
    }
    process::ChildSpec spec;
    spec.script = R"(exec ${BROWSER:-xdg-open} "$BARNUM_PAGE")";
    spec.directory = "/";
    spec.environment = {{"BARNUM_PAGE", *page}};
    spec.detached = true;
    process::ChildResult result = co_await process::run_child(std::move(spec));
    if (!result.succeeded() && result.end != process::ChildResult::End::cancelled)
        io::log::warn("the command that opens the browser ($BROWSER, or xdg-open) ", describe(result),
                      "; open the address yourself");
}

}  // namespace serve_shell
