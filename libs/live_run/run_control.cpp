#include "live_run/run_control.hpp"

#include "base/text.hpp"
#include "io/directory.hpp"
#include "io/local_socket.hpp"

#include <filesystem>
#include <unistd.h>
#include <utility>
#include <variant>

namespace live_run {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds longest_silence{10};  // of a connection that has sent no request
constexpr std::size_t backlog = 1 << 20;             // bytes of replies that a client has not read

void refuse(io::FramedSocket& connection, std::string message) {
    connection.send(runs::to_json(runs::Reply{true, std::move(message)}));
}

void reply(io::FramedSocket& connection, base::Result<std::string> result) {
    if (!result) return refuse(connection, std::move(result.error().message));
    connection.send(runs::to_json(runs::Reply{false, std::move(*result)}));
}

}  // namespace

base::Result<std::unique_ptr<RunControl>> RunControl::open(asio::any_io_executor executor,
                                                           const std::string& directory,
                                                           displays::Viewers& viewers, Actions actions) {
    std::error_code ignored;
    auto opened = io::Directory::open(std::filesystem::weakly_canonical(directory, ignored).string());
    if (!opened) return opened.error();
    auto socket = io::listen_local(*opened, runs::control_socket_name);
    if (!socket) return socket.error();
    return std::unique_ptr<RunControl>(new RunControl(executor, std::move(*socket),
                                                      opened->path_of(runs::control_socket_name), viewers,
                                                      std::move(actions)));
}

RunControl::RunControl(const asio::any_io_executor& executor, io::UniqueFd socket, std::string path,
                       displays::Viewers& viewers, Actions actions)
    : path_(std::move(path)),
      viewers_(viewers),
      actions_(std::move(actions)),
      listener_(executor, std::move(socket), "run",
                {runs::longest_request, longest_silence, std::nullopt, backlog}, callbacks()) {
    listener_.start();
}

RunControl::~RunControl() {
    ::unlink(path_.c_str());
}

io::FramedSocket::Callbacks RunControl::callbacks() {
    return {[this](const displays::Viewers::Connection& connection, const std::string& frame) {
                serve(connection, frame);
            },
            [](const displays::Viewers::Connection& connection, std::string problem) {
                refuse(*connection, std::move(problem));
            },
            [this](const displays::Viewers::Connection& connection, const io::FramedSocket::Payloads&) {
                viewers_.detach(connection);
            }};
}

void RunControl::serve(const displays::Viewers::Connection& connection, const std::string& frame) {
    auto request = runs::parse_control_request(frame);
    if (!request) return refuse(*connection, request.error().message);
    if (connection->is_hung_up()) return;  // it was withdrawn, while this process was suspended
    if (const auto* attach = std::get_if<runs::Attach>(&*request))
        return viewers_.attach(connection, *attach);
    if (auto* answer = std::get_if<runs::HumanAnswer>(&*request))
        return actions_.answer(std::move(*answer), [connection](base::Result<std::string> result) {
            reply(*connection, std::move(result));
        });
    const auto* pause = std::get_if<runs::Pause>(&*request);
    reply(*connection, pause ? actions_.pause(*pause) : actions_.scale(std::get<runs::Scale>(*request)));
}

}  // namespace live_run
