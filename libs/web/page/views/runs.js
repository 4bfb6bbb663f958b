// All runs of this machine: state, progress, rate, ETA, cost. Filtered by state and by text.

import { h, setText } from '../dom.js';
import { setName } from '../shown_text.js';
import { Table } from '../table.js';
import { progressBar } from '../progress_bar.js';
import { showState } from '../state_mark.js';
import { choiceButtons, searchField } from '../filter_bar.js';
import { Rates } from '../rates.js';
import { RUN_STATES, matches } from '../run_filter.js';
import * as format from '../format.js';

export function mount(root, app) {
    return new RunsView(root, app);
}

class RunsView {
    #shown = [];
    #rates = new Rates();

    constructor(root, app) {
        this.app = app;
        this.search = searchField('Filter runs', (text) => app.setQuery({ text }));
        this.states = choiceButtons('State', RUN_STATES.map(({ key, title }) => [key, title]), (state) => app.setQuery({ state }));
        this.count = h('span', { class: 'muted count', role: 'status' });
        this.table = new Table({ columns: this.#columns(), label: 'Runs', open: (index) => this.#open(index) });
        this.empty = h('div', { class: 'message', hidden: true });
        root.append(h('div', { class: 'tools' }, h('h1', {}, 'Runs'), this.search.element, this.states.element, this.count),
            this.table.element, this.empty);
        this.keys = { '/': ['filters', () => this.search.focus()], ...this.table.keys() };
    }

    #columns() {
        const run = (index) => this.#shown[index];
        const text = (make) => (cell, index) => setText(cell, make(run(index)));
        return [
            { title: 'Run', width: 'minmax(110px, 3fr)', show: (cell, index) => this.#showName(cell, run(index)) },
            { title: 'State', width: '96px', show: (cell, index) => showIn(cell, (mark) => showState(mark, run(index).state)) },
            { title: 'Progress', width: 'minmax(64px, 1.4fr)', show: (cell, index) => showProgress(cell, run(index)) },
            { title: 'Tasks', width: '72px', number: true, from: 620, show: text((one) => format.count(total(one))) },
            { title: 'Dropped', width: '58px', number: true, from: 720, show: (cell, index) => showDropped(cell, run(index)) },
            { title: 'Human', width: '56px', number: true, from: 1000, show: text((one) => one.tasks?.waiting_for_human ? format.count(one.tasks.waiting_for_human) : '') },
            { title: 'Rate', width: '60px', number: true, from: 800, show: text((one) => format.rate(this.#rates.of(one.id))) },
            { title: 'ETA', width: '84px', number: true, from: 880, show: text((one) => format.duration(left(one) / this.#rates.of(one.id) * 1000)) },
            { title: 'Cost', width: '70px', number: true, from: 560, show: text((one) => format.dollars(one.usd || NaN)) },
            { title: 'Time', width: '84px', number: true, from: 960, show: text((one) => format.duration((one.ended ?? this.#liveNow(one)) - one.started)) },
            { title: 'Started', width: '140px', number: true, from: 1080, show: text((one) => format.time(one.started)) },
            { title: 'Directory', width: 'minmax(100px, 2fr)', from: 1400, show: (cell, index) => showIn(cell, (mark) => setName(mark, run(index).directory ?? ''), 'bdi') },
        ];
    }

    #liveNow(run) {
        return ['running', 'paused'].includes(run.state) ? this.app.now() : NaN;
    }

    #showName(cell, run) {
        if (!cell.firstChild) cell.append(h('a', { class: 'strong', tabindex: -1 }, h('bdi')), ' ', h('bdi', { class: 'muted' }));
        const [link, about] = cell.children;
        link.href = this.app.href({ view: 'graph', run: run.id });
        setName(link.firstChild, run.name || run.workflow || run.id.slice(0, 8), 100);
        setName(about, [resultOf(run), run.name && run.workflow, run.id.slice(0, 8)].filter(Boolean).join(' · '), 100);
    }

    #open(index) {
        this.app.go({ view: 'graph', run: this.#shown[index].id });
    }

    update(what) {
        const { app } = this;
        if (what.has('route')) {
            this.search.set(app.route.query.text ?? '');
            this.states.set(app.route.query.state ?? '');
        }
        if (what.has('runs')) this.#rates.observe(app.model.runs.values(), performance.now());
        if (!['route', 'runs', 'clock'].some((name) => what.has(name))) return;
        const all = app.model.runList();
        const chosen = this.#shown[this.table.selected]?.id;
        this.#shown = all.filter((run) => matches(run, app.route.query));
        this.table.selected = this.#shown.findIndex((run) => run.id === chosen);
        this.table.setRows(this.#shown.length);
        setText(this.count, all.length === this.#shown.length ? format.plural(all.length, 'run')
            : `${format.count(this.#shown.length)} of ${format.plural(all.length, 'run')}`);
        this.#showEmpty(all);
    }

    #showEmpty(all) {
        const none = this.#shown.length === 0;
        this.table.element.hidden = none;
        this.empty.hidden = !none;
        if (none) setText(this.empty, !this.app.model.runsKnown ? '' : all.length ? 'No run matches the filter.' : 'There is no run yet. Start one with barnum run.');
    }

    unmount() {
        this.search.cancel();
        this.table.unmount();
    }
}

// The reason beside the state, as `barnum ps` prints it.
function resultOf({ result, state }) {
    return result && result !== state && !['finished', 'failed'].includes(result) ? result.replace(/_/g, ' ') : '';
}

const total = ({ tasks }) => tasks ? tasks.done + tasks.left + tasks.dropped : 0;
const ended = ({ tasks }) => tasks ? tasks.done + tasks.dropped : 0;
const left = ({ tasks, state }) => state === 'running' && tasks ? tasks.left - (tasks.waiting_for_human ?? 0) : NaN;

function showIn(cell, show, tag = 'span') {
    if (!cell.firstChild) cell.append(h(tag));
    show(cell.firstChild);
}

// How much has ended, whether it was done or dropped.
function showProgress(cell, run) {
    if (!cell.bar) {
        cell.bar = progressBar();
        cell.append(h('span', { class: 'run-progress' }, cell.bar.element, h('span', { class: 'run-percent' })));
    }
    setText(cell.firstChild.lastChild, format.percent(ended(run), total(run)));
    cell.bar.show({ tasks: total(run), done: run.tasks?.done, dropped: run.tasks?.dropped, human: run.tasks?.waiting_for_human });
}

function showDropped(cell, run) {
    setText(cell, run.tasks?.dropped ? format.count(run.tasks.dropped) : '');
    cell.classList.toggle('dropped', run.tasks?.dropped > 0);
}
