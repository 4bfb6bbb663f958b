// What a host's shell does for the machines: each action, and what agents and submitters report.
#include "host.hpp"

namespace hosts {

namespace agent_side = edge::agent_side;
namespace submitter_side = edge::submitter_side;

template<class Event>
void Host::write(const edge::Write& action) {
    send([this, action](Puller from) { reply(from, Event(world_.engine.write(action))); });
}

template<class Event>
void Host::look_up(const edge::LookUp& action) {
    send([this, action](Puller from) {
        reply(from, Event(edge::LookedUp{action.task, action.request, world_.engine.look_up(action)}));
    });
}

template<class Event>
void Host::ask_owner(const edge::Ask& action) {
    send([this, action](Puller from) {
        auto back = [this, from, action](edge::OwnerReply answer) {
            reply(from, Event(edge::OwnerReplied{action.task, action.request, answer}));
        };
        Host& owner = world_.host(action.owner.edge);
        if (owner.is_reachable()) return owner.receive_question(back, action);
        back(edge::OwnerReply::silent);
    });
}

template<class Event>
void Host::search(const edge::Search& action) {
    send([this, action](Puller from) {
        auto back = [this, from, action](edge::Trace trace) {
            reply(from, Event(edge::Searched{action.task, action.request, trace}));
        };
        for (const auto& host : world_.hosts)
            if (host->is_reachable())
                host->receive_search(back, {0, action.task, name_, action.for_submitters});
    });
}

void Host::on(const agent_side::Action& any) {
    if (const auto* search = std::get_if<edge::Search>(&any)) return this->search<AgentEvent>(*search);
    if (const auto* trace = std::get_if<edge::TraceReply>(&any)) return on(*trace);
    if (const auto* pull = std::get_if<agent_side::Pull>(&any)) return on(*pull);
    if (const auto* ask = std::get_if<edge::Ask>(&any)) {
        claiming_.erase(ask->task);
        return ask_owner<AgentEvent>(*ask);
    }
    if (const auto* reply = std::get_if<agent_side::Reply>(&any)) return on(*reply);
    if (const auto* assign = std::get_if<agent_side::Assign>(&any)) return on(*assign);
    if (const auto* recall = std::get_if<agent_side::Recall>(&any)) return on(*recall);
    if (const auto* look = std::get_if<edge::LookUp>(&any)) return look_up<AgentEvent>(*look);
    SimEngine& engine = world_.engine;
    if (const auto* write = std::get_if<edge::Write>(&any)) {
        check_claim(*write);
        return this->write<AgentEvent>(*write);
    }
    if (const auto* end = std::get_if<agent_side::EndPull>(&any))
        return send([&engine, id = end->pull](Puller from) { engine.end_pull(from, id); });
    if (const auto* extend = std::get_if<agent_side::Extend>(&any))
        return send([&engine, e = *extend](Puller) { engine.extend(e.task, e.delivery); });
    if (const auto* settle = std::get_if<edge::Settle>(&any))
        return send([&engine, s = *settle](Puller) { engine.settle(s); });
    if (const auto* note = std::get_if<agent_side::Note>(&any)) {
        agent_notes_[note->task] = {note->task,
                                    note->queue,
                                    note->timeout,
                                    note->delivery,
                                    note->nonce,
                                    note->setbacks,
                                    agent_side::Stage::unassigned};
        return;
    }
    const auto& forget = std::get<agent_side::Forget>(any);
    agent_notes_.erase(forget.task);
    claiming_.erase(forget.task);
}

void Host::on(const submitter_side::Action& any) {
    SimEngine& engine = world_.engine;
    if (const auto* answer = std::get_if<submitter_side::Answer>(&any)) return on(*answer);
    if (const auto* look = std::get_if<edge::LookUp>(&any)) return look_up<SubmitterEvent>(*look);
    if (const auto* write = std::get_if<edge::Write>(&any)) return this->write<SubmitterEvent>(*write);
    if (const auto* ask = std::get_if<edge::Ask>(&any)) return ask_owner<SubmitterEvent>(*ask);
    if (const auto* search = std::get_if<edge::Search>(&any)) return this->search<SubmitterEvent>(*search);
    if (const auto* trace = std::get_if<edge::TraceReply>(&any)) return on(*trace);
    if (const auto* publish = std::get_if<submitter_side::Publish>(&any))
        return send([this, &engine, p = *publish, timeout = clients_[publish->task].timeout](Puller from) {
            using submitter_side::PublishResult;
            auto result = engine.publish(p, timeout) ? PublishResult::queued : PublishResult::held;
            reply(from, SubmitterEvent(submitter_side::Published{p.task, p.request, result}));
        });
    if (const auto* remove = std::get_if<submitter_side::Remove>(&any))
        return send([this, &engine, r = *remove](Puller from) {
            engine.remove(r.task);
            reply(from, SubmitterEvent(submitter_side::Removed{r.task, r.request, true}));
        });
    if (const auto* purge = std::get_if<submitter_side::Purge>(&any))
        return send([this, &engine, p = *purge](Puller from) {
            engine.purge(p.task, p.version);
            reply(from, SubmitterEvent(submitter_side::Removed{p.task, p.request, true}));
        });
    if (const auto* join = std::get_if<submitter_side::Join>(&any))
        return send([this, j = *join](Puller) {
            for (const auto& host : world_.hosts)
                if (host->is_reachable()) host->receive_join(j.task);
        });
    if (const auto* hint = std::get_if<submitter_side::Notify>(&any))
        return send([this, h = *hint](Puller) {
            Host& owner = world_.host(h.edge);
            if (owner.is_reachable()) owner.receive(owner.puller(), agent_side::Check{h.task});
        });
    if (const auto* note = std::get_if<submitter_side::Note>(&any))
        submitter_notes_[note->task] = {note->task, note->queue, note->store, note->was_lost};
    if (const auto* closed = std::get_if<submitter_side::NoteClosed>(&any))
        submitter_notes_[closed->task].is_closed = true;
    if (const auto* forget = std::get_if<submitter_side::Forget>(&any)) submitter_notes_.erase(forget->task);
}

// ---- the agents' side ----

void Host::on(const agent_side::Pull& pull) {
    std::size_t idle = agents_.count_idle(pull.queue.labels);
    std::size_t outstanding = agent_side_.queues.at(pull.queue).outstanding;
    if (pull.count == 0 || std::max(pull.count, outstanding) > idle)
        world_.oracle.violated("pull", "more tasks than idle agents");
    send([this, pull](Puller from) { world_.engine.pull(from, pull); });
}

// A claim needs an agent that is idle, and that no other claim needs.
void Host::check_claim(const edge::Write& action) {
    if (action.entry.kind != edge::EntryKind::claimed) {
        claiming_.erase(action.task);
        return;
    }
    auto note = agent_notes_.find(action.task);
    if (note == agent_notes_.end()) return world_.oracle.violated(action.task, "claimed without a note");
    if (note->second.stage != agent_side::Stage::unassigned) return;
    if (!claiming_.insert(action.task).second) return;
    // One whose owner is not to be asked, but looked up, gives its agent back without a word.
    std::erase_if(claiming_, [this](const TaskId& id) {
        auto task = agent_side_.tasks.find(id);
        return task == agent_side_.tasks.end() || !task->second.is_reserved;
    });
    // A task without labels may take the agent that one with labels would need.
    bool has_labels = std::ranges::any_of(world_.queues, [](const Queue& q) { return !q.labels.empty(); });
    if (!has_labels && claiming_.size() > agents_.count_idle({}))
        world_.oracle.violated(action.task, "claimed without an agent");
}

void Host::receive_question(const std::function<void(edge::OwnerReply)>& asker, const edge::Ask& ask) {
    std::uint64_t question = ++last_question_;
    questions_[question] = asker;
    receive(puller(), agent_side::Asked{question, ask.task, ask.owner.nonce, ask.delivery});
}

void Host::receive_search(const std::function<void(edge::Trace)>& asker, edge::Sought sought) {
    for (bool is_of_agents : {true, false}) {
        if (is_of_agents && sought.for_submitters) continue;
        sought.question = ++last_question_;
        searches_[sought.question] = asker;
        if (is_of_agents)
            reply(puller(), AgentEvent(sought));
        else
            reply(puller(), SubmitterEvent(sought));
    }
}

void Host::receive_join(const TaskId& task) {
    reply(puller(), SubmitterEvent(submitter_side::Joined{task}));
}

void Host::on(const edge::TraceReply& action) {
    auto search = searches_.extract(action.question);
    if (search.empty() || action.trace == edge::Trace::none) return;
    send([asker = std::move(search.mapped()), trace = action.trace](Puller) { asker(trace); });
}

void Host::on(const agent_side::Reply& action) {
    auto question = questions_.extract(action.question);
    if (question.empty()) return;
    auto reply = action.has ? edge::OwnerReply::has : edge::OwnerReply::has_not;
    send([asker = std::move(question.mapped()), reply](Puller) { asker(reply); });
}

void Host::on(const agent_side::Assign& action) {
    agent_side::Recovered& note = agent_notes_.at(action.task);
    note.stage = agent_side::Stage::assigned;
    note.setbacks = action.setbacks;
    claiming_.erase(action.task);
    check_assignment(action.task, {name_, note.nonce});
    Job job{action.task, {name_, note.nonce}, action.queue, action.timeout, action.setbacks};
    if (!agents_.assign(job)) feed(AgentEvent(agent_side::Unassigned{job.task, job.setbacks}));
}

// An agent may begin in vain, but not when the machine could have known that. While this edge was suspended,
// it could not.
void Host::check_assignment(const TaskId& task, const edge::Author& claim) {
    auto decided = world_.engine.decided(task, claim);
    if (decided && !is_resuming_ && *decided + 11s < world_.agenda.now())
        world_.oracle.violated(task, "assigned long after its outcome was written");
}

void Host::on(const agent_side::Recall& action) {
    if (agents_.has(action.task))
        agents_.recall(action.task);
    else if (action.wants_end)
        arrive(AgentEvent(agent_side::Ended{action.task}));
}

// It goes to another agent here, if there is one.
void Host::work_failed(const Job& job) {
    if (!is_alive_) return;  // the next edge finds that nobody has it
    if (is_suspended_) return inbox_.push_back([this, job] { work_failed(job); });
    if (job.setbacks.deaths > 2) return answered(job.task, Outcome::lost);
    auto known = agent_side_.tasks.find(job.task);
    bool is_wanted = known != agent_side_.tasks.end() && known->second.phase == agent_side::Phase::working;
    if (!is_wanted) return arrive(AgentEvent(agent_side::Ended{job.task}));
    if (!agents_.assign(job)) arrive(AgentEvent(agent_side::Unassigned{job.task, job.setbacks}));
}

// A response is on the disk before the edge sees it, and kept before the machine knows of it.
void Host::answered(const TaskId& task, Outcome outcome) {
    auto note = agent_notes_.find(task);
    if (note == agent_notes_.end()) return;
    if (outcome != Outcome::stopped) responses_[task] = outcome;
    if (!is_alive_) return;
    if (is_suspended_) return inbox_.push_back([this, task, outcome] { answered(task, outcome); });
    responses_.erase(task);
    if (outcome != Outcome::stopped) {
        note->second.stage = agent_side::Stage::answered;
        note->second.outcome = outcome;
    }
    arrive(AgentEvent(agent_side::Answered{task, outcome}));
}

void Host::receive(Puller puller, const AgentEvent& event) {
    reply(puller, event);
    if (world_.random.one_in(100)) reply(puller, event);
}

// ---- the submitters' side ----

void Host::receive_notice(const TaskId& task, const Record& record) {
    if (!is_connected_) return;
    reply(puller(), SubmitterEvent(submitter_side::Noticed{task, record}));
    if (world_.random.one_in(50)) reply(puller(), SubmitterEvent(submitter_side::Noticed{task, record}));
}

void Host::submit(const TaskId& task, const Queue& queue, std::optional<Duration> timeout) {
    if (is_buried_) return;
    clients_[task] = {queue, timeout};
    world_.homes[task].insert(number_);
    submit_again(task);
}

void Host::submit_again(const TaskId& task) {
    auto client = clients_.find(task);
    if (client == clients_.end() || client->second.waits || is_buried_) return;
    client->second.waits = true;
    const auto& queues = world_.queues;
    if (!world_.is_shared && world_.random.one_in(3))
        client->second.queue = queues[world_.random.below(queues.size())];
    world_.oracle.submitted(task, number_, client->second.queue);
    read_submission(task);
}

// The edge reads what a submitter sends.
void Host::read_submission(const TaskId& task) {
    if (!is_alive_) return;  // it is sent again to the next edge
    if (is_suspended_) return inbox_.push_back([this, task] { read_submission(task); });
    Client& client = clients_.at(task);
    if (!client.waits) return;  // it has got the answer to what it had sent before
    if (client.answered && *client.answered + 60s < world_.agenda.now()) {
        // The pool remembers the answer itself, for an hour. What is tested here is the time before.
        client.waits = false;
        return world_.oracle.withdrawn(task, number_);
    }
    asked_.insert(task);
    feed(SubmitterEvent(submitter_side::Submitted{task, client.queue}));
}

void Host::read_withdrawal(const TaskId& task) {
    if (!is_alive_) return;
    if (is_suspended_) return inbox_.push_back([this, task] { read_withdrawal(task); });
    asked_.erase(task);
    feed(SubmitterEvent(submitter_side::Withdrawn{task}));
}

void Host::withdraw(const TaskId& task) {
    auto client = clients_.find(task);
    if (client == clients_.end() || !client->second.waits) return;
    client->second.waits = false;
    world_.oracle.withdrawn(task, number_);
    read_withdrawal(task);
}

void Host::on(const submitter_side::Answer& action) {
    if (asked_.erase(action.task) == 0) world_.oracle.violated(action.task, "answered twice by one process");
    Client& client = clients_[action.task];
    if (std::exchange(client.waits, false)) {
        client.answered = world_.agenda.now();
        world_.oracle.answered(action.task, number_, action.outcome, action.was_lost);
    }
    world_.agenda.in(world_.up_to(200ms), [this, task = action.task, life = life_] {
        if (life == life_) arrive(SubmitterEvent(submitter_side::Consumed{task}));
    });
}

}  // namespace hosts
