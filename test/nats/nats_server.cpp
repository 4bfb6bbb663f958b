#include "nats_server.hpp"

#include "io/unique_fd.hpp"
#include "json/json.hpp"

#include <array>
#include <cstdlib>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace test {

namespace {

// Becomes nats-server, which ends with this process.
[[noreturn]] void become(const std::vector<std::string>& arguments) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    std::vector<char*> pointers;
    for (const std::string& argument : arguments)
        pointers.push_back(const_cast<char*>(argument.c_str()));
    pointers.push_back(nullptr);
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
}

int port_in(json::View ports, std::string_view name) {
    auto urls = ports.find(name);
    if (!urls || urls->elements().empty()) return -1;
    std::string url = urls->elements()[0].string();
    return std::stoi(url.substr(url.rfind(':') + 1));
}

std::string replaced(std::string text, char what, const std::string& by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, 1, by);
    return text;
}

}  // namespace

std::string nats_server_program() {
    std::istringstream path(std::getenv("PATH") == nullptr ? "" : std::getenv("PATH"));
    for (std::string folder; std::getline(path, folder, ':');)
        if (std::filesystem::exists(folder + "/nats-server")) return folder + "/nats-server";
    return std::filesystem::exists("/usr/sbin/nats-server") ? "/usr/sbin/nats-server" : "";
}

NatsServer::NatsServer(std::string config, const Prepare& prepare)
    : config_(replaced(std::move(config), '%', directory_.path())) {
    if (prepare) prepare(directory_);
    start();
}

NatsServer::~NatsServer() {
    kill();
}

std::string NatsServer::address(std::string_view scheme) const {
    return std::string(scheme) + "://127.0.0.1:" + std::to_string(port());
}

void NatsServer::signal(int number) const {
    REQUIRE(::kill(pid_, number) == 0);
}

void NatsServer::kill() {
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
}

void NatsServer::start() {
    write(directory_ / "conf", config_);
    io::UniqueFd watch(::inotify_init1(IN_CLOEXEC));
    REQUIRE(::inotify_add_watch(watch.get(), directory_.path().c_str(), IN_CLOSE_WRITE) >= 0);
    std::vector<std::string> arguments{
        nats_server_program(), "-c", directory_ / "conf",    "-a",
        "127.0.0.1",           "-p", std::to_string(port()), "--ports_file_dir",
        directory_.path(),     "-l", directory_ / "log"};
    pid_ = ::fork();
    if (pid_ == 0) become(arguments);
    REQUIRE(pid_ > 0);
    std::string name = directory_ / ("nats-server_" + std::to_string(pid_) + ".ports");
    while (content(name).empty()) {
        pollfd poll{watch.get(), POLLIN, 0};
        INFO(log());
        REQUIRE(::poll(&poll, 1, static_cast<int>(std::chrono::milliseconds(patience).count())) == 1);
        std::array<char, 4096> events{};
        REQUIRE(::read(watch.get(), events.data(), events.size()) > 0);
        REQUIRE(::waitpid(pid_, nullptr, WNOHANG) == 0);
    }
    read_cluster_port();
    std::filesystem::remove(name);
}

void NatsServer::read_cluster_port() {
    std::string text = content(directory_ / ("nats-server_" + std::to_string(pid_) + ".ports"));
    auto ports = json::checked(text);
    REQUIRE(ports.has_value());
    cluster_port_ = port_in(*ports, "cluster");
}

}  // namespace test
