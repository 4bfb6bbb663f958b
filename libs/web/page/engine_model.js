// What the status of a pool over many hosts (docs/status.md) says of the engine and of the hosts. Pure. Times in ms since 1970, of
// the pool's clock.

import { agentCounts, compareNames } from './pool_model.js';
import * as format from './format.js';

const PATIENCE = 7000;     // ms for which a host is taken to be as it was: it is asked every few seconds, and may miss one question
const REMEMBERED = 600000;  // ms for which one that does not answer any more is shown

const wholeSeconds = (ms) => format.duration(Math.floor(Math.max(0, ms) / 1000) * 1000);

// { state (of state_mark.js), text }
export function connectionOf({ connected, since }, now) {
    if (since === null) return { state: 'lost', text: 'not connected yet' };
    return { state: connected ? 'done' : 'lost', text: `${connected ? 'connected' : 'lost'} since ${format.time(since, now)}` };
}

// What is to be known while there is no connection.
export function problemText({ connected, problem }) {
    if (connected) return '';
    const why = problem ? `: ${problem.replace(/\.$/, '')}` : '';
    return `No connection with the engine${why}. Agents go on with their tasks, and answers are kept until it is back.`;
}

// "3 hosts: 24 agents busy, 12 idle; 24 tasks of 40 submissions"
export function sumText(hosts) {
    const sum = (key) => hosts.reduce((all, host) => all + host[key], 0);
    return `${format.plural(hosts.length, 'host')}: ${format.plural(sum('busy'), 'agent')} busy, ${format.count(sum('idle'))} idle; `
        + `${format.plural(sum('leases'), 'task')} of ${format.plural(sum('submissions'), 'submission')}`;
}

// The hosts of a pool, as long as they are watched: one that stops answering stays in its place for a while, and says so.
export class HostList {
    #hosts = new Map();  // by their ids: { host, seen (when it was last among those that have answered) }
    #status = null;

    take(status) {
        this.#status = status;
        for (const host of status.engine.hosts) this.#hosts.set(host.edge, { host, seen: status.time });
        this.#hosts.delete(status.engine.edge);
        for (const [edge, { seen }] of this.#hosts) if (status.time - seen > REMEMBERED) this.#hosts.delete(edge);
    }

    // Hosts as in the status, in the order of their ids, each with `isThis`, `isThere` (it is taken to be as it says) and
    // `connection`: { state, text }.
    rows(now) {
        const others = [...this.#hosts.values()].map(({ host, seen }) => this.#other(host, now - seen, now));
        return [this.#own(now), ...others].sort((a, b) => compareNames(a.edge, b.edge));
    }

    // Of itself, this host knows everything at any time.
    #own(now) {
        const { engine, agents } = this.#status;
        const { edge, leases, submissions, lag_ms, counts, connected, since } = engine;
        const { idle, heartbeat, busy, ending } = agentCounts(agents);
        let connection = { state: 'done', text: wholeSeconds(now - since) };
        if (!connected) connection = { state: 'lost', text: since === null ? 'not yet' : `lost ${format.clock(now - since)}` };
        return { edge, leases, submissions, lag_ms, counts, idle: idle + heartbeat, busy: busy + ending, isThis: true, isThere: true, connection };
    }

    #other(host, silent, now) {
        const { connected, since } = this.#status.engine;
        const isThere = connected && silent < PATIENCE;
        let connection = { state: 'done', text: wholeSeconds(host.connected_for_ms ?? NaN) };
        if (!connected) connection = { state: 'paused', text: `unknown ${format.clock(now - (since ?? now))}` };
        else if (!isThere) connection = { state: 'lost', text: `silent ${format.clock(silent)}` };
        return { ...host, isThis: false, isThere, connection };
    }
}
