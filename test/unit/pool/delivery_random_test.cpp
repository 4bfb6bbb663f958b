// Random streams of events against a world that knows the rules only from outside: whoever waits is answered
// exactly once or let go, an absent submitter has its minute and no more, and an answer that was not
// delivered is somewhere until its hour is over.
#include "delivery_events.hpp"
#include "seeds.hpp"

#include <map>
#include <random>
#include <set>

using namespace delivery_test;

namespace {

// Submitters, files and sockets, as a daemon would see them.
class World {
  public:
    explicit World(unsigned seed) : random_(seed) {}

    void run(int length);

  private:
    struct Open {
        std::set<Peer> peers;
        bool by_file = false;
        bool has_own_id = false;
        std::optional<Time> alone_since;
    };

    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    bool nobody_asks(const SubmissionId& id) const {
        const Open& open = open_.at(id);
        return open.peers.empty() && !open.by_file;
    }

    void feed(const Event& event);
    void step();
    void ask(const SubmissionId& id, Peer peer);
    void ask_anonymously(Peer peer);
    void write_request(const SubmissionId& id);
    void look_at_request(const SubmissionId& id);
    void remove_request(const SubmissionId& id);
    void withdraw(const SubmissionId& id, Peer peer);
    void answer();
    void lose_peer(Peer peer);
    void pass(pool::Duration span);
    void update_absence();
    void promise(const SubmissionId& id);
    void check() const;
    void end();

    void perform(const Enqueue& action);
    void perform(const WantFailures& action) { CHECK(open_.contains(action.submission)); }
    void perform(const Withdraw& action);
    void perform(const CancelReply& action) { --owed_[action.peer]; }
    void perform(const Remember& action) { remembered_.insert(action.submission); }
    void perform(const Send& action);
    void perform(const WriteResponse& action);
    void perform(const RetryWrite& action) { write(action.submission); }
    void perform(const RemoveResponse& action);
    void perform(const CheckOutput& action);
    void perform(const CheckFetched&) { FAIL("each submitter here fetches its answer"); }
    void perform(const RemoveUnfetched&) { FAIL("each submitter here fetches its answer"); }
    void perform(const ReadRequest& action) { look_at_request(action.submission); }
    void write(const SubmissionId& id);

    std::mt19937 random_;
    State state_;
    Time now_{};
    std::uint64_t last_anonymous_ = 0;
    bool disk_is_full_ = false;
    std::map<SubmissionId, Open> open_;
    std::set<SubmissionId> queued_;
    std::map<Peer, int> owed_;                             // answers
    std::map<Peer, std::map<SubmissionId, bool>> output_;  // not taken yet; whether it is worth keeping
    std::map<Peer, std::set<SubmissionId>> withdrawn_late_;
    std::set<SubmissionId> requests_, responses_, remembered_;  // files; and ids
    std::set<SubmissionId> promised_;                           // answers that have to be somewhere
    std::map<SubmissionId, Time> expiries_;
    std::set<SubmissionId> removable_;  // their responses were taken over a connection
    bool answer_is_kept_ = false;
    std::set<SubmissionId> given_up_;
};

void World::feed(const Event& event) {
    for (const Action& action : apply(state_, event, now_))
        std::visit([this](const auto& a) { perform(a); }, action);
}

void World::perform(const Enqueue& action) {
    REQUIRE(open_.contains(action.submission));
    REQUIRE(queued_.insert(action.submission).second);
}

void World::perform(const Withdraw& action) {
    const SubmissionId& id = action.submission;
    const Open& open = open_.at(id);
    bool has_waited = open.alone_since && now_ - *open.alone_since >= state_.reconnect_time;
    REQUIRE((given_up_.contains(id) || (nobody_asks(id) && (!open.has_own_id || has_waited))));
    REQUIRE(queued_.erase(id) == 1);
    open_.erase(id);
}

void World::perform(const Send& action) {
    Sent sent{action.submission, action.reason, {}};
    for (Peer peer : action.peers) {
        --owed_[peer];
        if (below(3) == 0) output_[peer].insert_or_assign(action.submission, answer_is_kept_);
        if (output_.contains(peer)) sent.slow.push_back(peer);
    }
    if (action.reason != SendReason::unkept) removable_.insert(action.submission);
    feed(sent);
}

void World::perform(const WriteResponse& action) {
    if (action.reason != WriteReason::requested || requests_.contains(action.submission))
        write(action.submission);
}

void World::write(const SubmissionId& id) {
    if (disk_is_full_)
        feed(WriteFailed{id, Unwritten::answer});
    else
        responses_.insert(id);
}

void World::perform(const RemoveResponse& action) {
    const SubmissionId& id = action.submission;
    auto expiry = expiries_.find(id);
    bool is_over = expiry != expiries_.end() && expiry->second <= now_;
    REQUIRE((is_over || removable_.contains(id)));
    if (is_over) expiries_.erase(expiry);
    if (requests_.contains(id)) return;
    feed(ResponseReleased{id});
    responses_.erase(id);
    promised_.erase(id);
}

void World::perform(const CheckOutput& action) {
    bool is_taken = true;
    for (Peer peer : action.peers)
        if (output_.contains(peer)) is_taken = false;
    feed(OutputChecked{action.submission, is_taken});
}

void World::promise(const SubmissionId& id) {
    promised_.insert(id);
    removable_.erase(id);
    expiries_.try_emplace(id, now_ + keep_time);
}

void World::ask(const SubmissionId& id, Peer peer) {
    ++owed_[peer];
    if (!open_.contains(id) && (remembered_.contains(id) || responses_.contains(id))) {
        answer_is_kept_ = true;
        return feed(AskedAgain{id, peer});
    }
    Open& open = open_[id];
    open.peers.insert(peer);
    open.has_own_id = true;
    feed(Asked{id, peer, true, {}});
}

void World::ask_anonymously(Peer peer) {
    SubmissionId id = "#" + std::to_string(++last_anonymous_);
    ++owed_[peer];
    open_[id].peers.insert(peer);
    feed(Asked{id, peer, false, {}});
}

void World::write_request(const SubmissionId& id) {
    requests_.insert(id);
    look_at_request(id);
}

void World::look_at_request(const SubmissionId& id) {
    if (!requests_.contains(id) || responses_.contains(id) || state_.unwritten.contains(id)) return;
    if (!open_.contains(id) && below(5) == 0) return feed(RequestUnreadable{id});
    if (!open_.contains(id) && below(5) == 0) return feed(WriteFailed{id, Unwritten::refusal});
    if (!open_.contains(id) && remembered_.contains(id)) {
        expiries_.try_emplace(id, now_ + keep_time);
        return feed(AskedAgainByFile{id});
    }
    open_[id].by_file = true;
    feed(AskedByFile{id, {}});
}

// Its submitter takes the answer along, if there is one.
void World::remove_request(const SubmissionId& id) {
    requests_.erase(id);
    responses_.erase(id);
    promised_.erase(id);
    if (auto open = open_.find(id); open != open_.end()) open->second.by_file = false;
    update_absence();
    feed(RequestRemoved{id});
}

void World::withdraw(const SubmissionId& id, Peer peer) {
    auto open = open_.find(id);
    bool has_output = output_.contains(peer);
    if (open == open_.end() && has_output) withdrawn_late_[peer].insert(id);
    if (open != open_.end() && open->second.peers.erase(peer) == 1 && open->second.peers.empty())
        open->second.has_own_id = false;
    update_absence();
    feed(WithdrawnByPeer{id, peer, has_output});
}

void World::answer() {
    if (queued_.empty()) return;
    SubmissionId id = *std::next(queued_.begin(), below(static_cast<int>(queued_.size())));
    if (below(8) == 0) {
        given_up_ = {id};
        feed(GivenUp{id});
        given_up_.clear();
        return;
    }
    queued_.erase(id);
    Open open = open_.extract(id).mapped();
    answer_is_kept_ = below(4) > 0;
    if (open.peers.empty() && !open.by_file && answer_is_kept_) promise(id);
    if (!open.has_own_id && !open.by_file) answer_is_kept_ = false;  // nobody can ask for it again
    feed(Answered{id, answer_is_kept_});
}

void World::lose_peer(Peer peer) {
    auto undelivered = output_.extract(peer);
    auto late = withdrawn_late_.extract(peer);
    if (!undelivered.empty())
        for (const auto& [id, is_kept] : undelivered.mapped()) {
            if (!is_kept) continue;
            if (late.empty() || !late.mapped().contains(id)) promise(id);
            feed(Undelivered{id, peer});
        }
    for (auto& [id, open] : open_)
        open.peers.erase(peer);
    owed_.erase(peer);
    update_absence();
    feed(PeerGone{peer});
}

void World::update_absence() {
    for (auto& [id, open] : open_) {
        if (!nobody_asks(id))
            open.alone_since.reset();
        else if (!open.alone_since)
            open.alone_since = now_;
    }
}

void World::pass(pool::Duration span) {
    now_ += span;
    while (next_deadline(state_) && *next_deadline(state_) <= now_)
        feed(TimePassed{});
}

void World::check() const {
    REQUIRE(state_.waiting.size() == open_.size());
    std::map<Peer, int> owed;
    for (const auto& [id, open] : open_) {
        const Waiting& waiting = state_.waiting.at(id);
        REQUIRE(std::set<Peer>(waiting.peers.begin(), waiting.peers.end()) == open.peers);
        REQUIRE(waiting.peers.size() == open.peers.size());
        REQUIRE(waiting.by_file == open.by_file);
        if (nobody_asks(id)) REQUIRE(now_ - *open.alone_since < state_.reconnect_time);
        for (Peer peer : open.peers)
            ++owed[peer];
    }
    for (const auto& [peer, count] : owed_)
        REQUIRE(count == owed[peer]);
    for (const SubmissionId& id : promised_)
        REQUIRE((responses_.contains(id) || state_.unwritten.contains(id)));
}

void World::step() {
    SubmissionId id = "s" + std::to_string(below(6));
    Peer peer{static_cast<std::uint64_t>(below(5))};
    switch (below(12)) {
        case 0:
        case 1:
        case 2:
            return ask(id, peer);
        case 3:
            return ask_anonymously(peer);
        case 4:
            return write_request(id);
        case 5:
            return remove_request(id);
        case 6:
            return withdraw(id, peer);
        case 7:
            return lose_peer(peer);
        case 8:
            disk_is_full_ = below(3) == 0;
            remembered_.erase(id);
            output_.erase(peer);  // taken
            return;
        case 9:
            return pass(below(10) == 0 ? pool::Duration(40min) : pool::Duration(20s));
        default:
            return answer();
    }
}

void World::end() {
    disk_is_full_ = false;
    output_.clear();
    for (int number = 0; number < 6; ++number)
        remove_request("s" + std::to_string(number));
    for (std::uint64_t number = 0; number < 5; ++number)
        lose_peer(Peer{number});
    feed(Ending{});
    pass(state_.reconnect_time);
    pass(2 * keep_time);
    REQUIRE(queued_.empty());
    REQUIRE(responses_.empty());
    REQUIRE(state_.waiting.empty());
    REQUIRE(state_.by_peer.empty());
    REQUIRE(state_.withdrawn_late.empty());
    REQUIRE(state_.slow.empty());
    REQUIRE(state_.unwritten.empty());
    REQUIRE_FALSE(next_deadline(state_));
}

void World::run(int length) {
    for (int number = 0; number < length; ++number) {
        step();
        update_absence();
        check();
    }
    end();
}

}  // namespace

TEST_CASE("random events answer everybody once, wait for the absent and lose no answer") {
    workflow_test::for_each_seed(workflow_test::scaled(2000, 300), {},
                                 [](std::uint32_t seed) { World(seed).run(400); });
}
