// Of a pool over many hosts: the connection with the engine, and the hosts. Its elements stay, only their text changes.

import { h, setClass, setText } from './dom.js';
import { CutRows } from './cut_rows.js';
import { HostList, connectionOf, problemText, sumText } from './engine_model.js';
import { name, setName } from './shown_text.js';
import { showState } from './state_mark.js';
import * as format from './format.js';

// What is counted, with what it means.
const COUNTS = [['redelivered', 'again', 'deliveries of tasks that another host had'],
    ['owners_lost', 'hosts lost', 'tasks whose host was found to be lost'],
    ['leases_lost', 'taken back', 'tasks taken from agents of this host'],
    ['late_answers', 'late answers', 'answers that came too late, and were refused']];
const COLUMNS = [['host'], ['connected'], ['busy', 'agents with a task'], ['idle', 'agents without a task'],
    ['tasks', 'tasks of the engine that the host has'], ['submissions', 'tasks for whose answers its submitters wait'],
    ['lag', 'how long the engine takes for a request'], ...COUNTS.map(([, title, meaning]) => [title, meaning])];
const NUMBERS = ['busy', 'idle', 'leases', 'submissions'];

export class EngineView {
    #hosts = new HostList();
    #engine = null;

    constructor() {
        this.facts = Object.fromEntries(['engine', 'connection', 'this host', 'lag'].map((title) => [title, fact(title)]));
        this.about = h('p', { class: 'pool-engine-about' }, name(''));
        const body = h('tbody');
        this.rows = new CutRows(body, 'host', hostRow);
        this.element = h('div', { class: 'pool-engine' },
            h('dl', { class: 'pool-facts' }, Object.values(this.facts).map((one) => one.element)), this.about,
            h('div', { class: 'pool-hosts', tabindex: 0, role: 'group', 'aria-label': 'Hosts' }, hostTable(body), this.rows.more));
    }

    // A status with an engine.
    take(status) {
        this.#engine = status.engine;
        this.#hosts.take(status);
        const { engine, 'this host': host, lag } = this.facts;
        setName(engine.value, status.engine.name.replaceAll(',', ', '), 300);
        setName(host.value, status.engine.edge, 200);
        setText(lag.value, format.latency(status.engine.lag_ms));
    }

    // What changes with the time alone.
    tick(now) {
        const { state, text } = connectionOf(this.#engine, now);
        const { connection } = this.facts;
        showState(connection.value, state, text);
        const rows = this.#hosts.rows(now);
        const problem = problemText(this.#engine);
        setName(this.about.firstChild, problem || sumText(rows.filter(({ isThere }) => isThere)), 1000);
        setClass(this.about, problem ? 'pool-engine-about cut' : 'pool-engine-about');
        this.rows.show(rows);
    }
}

function fact(title) {
    const value = title === 'connection' || title === 'lag' ? h('span') : name('');
    return { value, element: h('div', { class: 'pool-fact' }, h('dt', {}, title), h('dd', {}, value)) };
}

function hostTable(body) {
    const heading = ([text, meaning]) =>
        h('th', { scope: 'col', class: text === 'host' || text === 'connected' ? null : 'number', title: meaning }, text);
    return h('table', { class: 'plain-table' }, h('caption', { class: 'visually-hidden' }, 'Hosts'),
        h('thead', {}, h('tr', {}, COLUMNS.map(heading))), body);
}

function hostRow() {
    const title = name('');
    const own = h('span', { class: 'muted' });
    const state = h('span');
    const numbers = NUMBERS.map(() => h('td', { class: 'number' }));
    const lag = h('td', { class: 'number' });
    const counts = COUNTS.map(() => h('td', { class: 'number' }));
    const element = h('tr', {}, h('th', { scope: 'row' }, title, own), h('td', {}, state), numbers, lag, counts);
    const show = (host) => {
        setClass(element, host.isThere ? '' : 'muted');
        setName(title, host.edge, 200);
        setText(own, host.isThis ? ' this host' : '');
        showState(state, host.connection.state, host.connection.text);
        NUMBERS.forEach((key, i) => setText(numbers[i], format.count(host[key])));
        setText(lag, format.latency(host.lag_ms));
        COUNTS.forEach(([key], i) => setText(counts[i], format.count(host.counts?.[key] ?? 0)));
    };
    return { element, show };
}
