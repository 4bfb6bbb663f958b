// Submitters over both transports, played by the test: on connections with several requests each, with ids
// and without, and by files; they withdraw, go away, come back and ask again. What they do and
// receive is told to the oracle.
#pragma once

#include "connection.hpp"
#include "draw.hpp"
#include "io/directory.hpp"
#include "oracle.hpp"
#include "story.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace model {

class Submitters {
  public:
    Submitters(io::Directory submissions, io::Directory scratch, std::string socket_path, Oracle& oracle,
               Story& story, sim::Draw& draw, bool with_timeouts);

    // ---- operations ----
    void act_by_file();
    void act_by_socket();  // while a daemon serves

    // Takes what was answered; true if anything was.
    bool receive();
    // After receive(), with nothing left for the daemon to do.
    void quiet();
    // All connections are at their end, or coming to it.
    void receive_from_one_that_closes();
    void daemon_ended();

    // ---- towards an end ----
    void ask_for_all();  // who was left alone asks again
    void close_all();
    // Answers that nobody will ask for again, as the kept one of a submitter that had its answer when the
    // daemon was killed, are asked for.
    void fetch_kept();
    // Before `time` passes, who must speak in time does: half a request is sent to its end, and who was left
    // alone asks again.
    void prepare_for(std::chrono::milliseconds time);

  private:
    // A request on a connection that is not answered yet.
    struct Asked {
        std::string key;
        bool withdrawn = false;
    };
    struct Client {
        Client(std::string own_name, const std::string& socket_path)
            : name(std::move(own_name)), connection(socket_path) {}

        std::string name;
        Connection connection;
        std::vector<Asked> asked;
        std::string key_of_rest;  // the request whose frame is only half sent
        bool has_spoken = false;
        bool gone = false;
    };

    std::string new_key() { return base::concat("s", ++last_number_); }
    std::string make_content(const std::string& key, Submission& submission);
    std::string request(const std::string& key, bool with_id) const;
    static std::string needed(const Submission& submission);  // its labels, for the story

    void submit_by_file();
    void withdraw_by_file();
    void come_back_by_file();
    bool receive_by_file();
    void take_response(const std::string& key);
    void write_request(const std::string& key);

    Client& some_client();
    Client& open_client();  // that can send
    Client& new_client();
    void send_something(Client& client);
    void send_new(Client& client);
    void ask_again(Client& client);
    void send_request(Client& client, const std::string& key);
    void withdraw(Client& client);
    void submit_withdrawn_again(Client& client);
    void send_rest(Client& client);
    void close(Client& client);
    void leave(Client& client);
    bool receive(Client& client);
    void was_answered(Client& client, const std::string& frame);
    std::string key_without_id(const Client& client, const pool_protocol::Answer& answer) const;
    std::vector<std::string> left_alone() const;

    io::Directory directory_;
    io::Directory scratch_;
    std::string socket_path_;
    Oracle& oracle_;
    Story& story_;
    sim::Draw& draw_;
    bool with_timeouts_;
    std::unordered_map<std::string, std::string> contents_;  // by key, of those that are open
    std::unordered_map<std::string, Submission> unsent_;     // whose frame is only half sent
    std::vector<std::string> by_file_;                       // whose request file is there
    std::unordered_set<std::string> who_want_failures_;      // by key
    std::unordered_map<std::string, base::Labels> labels_;   // by key
    std::vector<std::string> answered_lately_;               // may be asked for again
    std::vector<std::string> withdrawn_lately_;              // may be submitted again
    std::vector<std::unique_ptr<Client>> clients_;
    std::uint64_t last_number_ = 0;
    std::uint64_t last_client_ = 0;
};

}  // namespace model
