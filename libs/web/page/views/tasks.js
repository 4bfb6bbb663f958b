// All tasks of a run as a table: filtered by step, state and text, sorted by its columns.

import { fill, h, setText } from '../dom.js';
import { plain } from '../text.js';
import { setName } from '../shown_text.js';
import { Table } from '../table.js';
import { showState } from '../state_mark.js';
import { choiceButtons, searchField } from '../filter_bar.js';
import { TASK_FILTERS, criteria, nextOrder, order } from '../task_filter.js';
import { TaskList } from '../task_list.js';
import { isOld } from '../search_age.js';
import { RowSet, countStates } from '../trace_query.js';
import { FLAG, NO_AGENT, OUTCOME, REASONS, STATE, STATES } from '../trace_store.js';
import * as format from '../format.js';

export function mount(root, app) {
    return new TasksView(root, app);
}

class TasksView {
    #list = new TaskList();
    #found = { text: '', rows: null, more: false };  // see search_age.js
    #query = null;
    #stale = false;

    constructor(root, app) {
        this.app = app;
        this.search = searchField('Text in value or error', (text) => app.setQuery({ text }));
        this.states = choiceButtons('State', TASK_FILTERS.map(({ key, title, states }) => [key, title, states !== null]), (state) => app.setQuery({ state }));
        this.step = h('select', { 'aria-label': 'Step', on: { change: () => this.#chooseStep() } });
        this.count = h('span', { class: 'muted count' });
        this.table = new Table({ columns: this.#columns(), label: 'Tasks', open: (index) => this.#open(index),
            sorted: (key) => app.setQuery({ sort: nextOrder(app.route.query, key) }) });
        root.append(h('h2', { class: 'visually-hidden' }, 'Tasks'),
            h('div', { class: 'tools' }, this.search.element, this.step, this.states.element, this.count), this.table.element);
        this.keys = { '/': ['filters', () => this.search.focus()], ...this.table.keys() };
    }

    get #run() {
        return this.app.model.run;
    }

    #columns() {
        const trace = () => this.#run.trace;
        const row = (index) => this.#list.rows[index];
        const text = (make) => (cell, index) => setText(cell, make(trace(), row(index)));
        return [
            { title: 'Task', width: 'minmax(56px, 72px)', number: true, show: (cell, index) => this.#showLink(cell, row(index)) },
            { title: 'Step', width: 'minmax(90px, 1fr)', sort: 'step', show: (cell, index) => this.#showStep(cell, row(index)) },
            { title: 'State', width: 'minmax(84px, 92px)', sort: 'state', show: (cell, index) => this.#showState(cell, row(index)) },
            { title: 'Attempts', width: '74px', number: true, sort: 'attempts', from: 640, show: text((t, at) => attempts(t, at)) },
            { title: 'Started', width: '100px', number: true, sort: 'start', from: 760, show: text((t, at) => format.timeSince(t.startOf(at), t.submitted[0])) },
            { title: 'Duration', width: 'minmax(72px, 96px)', number: true, sort: 'duration', show: text((t, at) => format.duration(t.durationOf(at, this.app.now()))) },
            { title: 'Tokens', width: '64px', number: true, sort: 'tokens', from: 900, show: text((t, at) => format.short(t.tokensOf(at) || NaN)) },
            { title: 'Cost', width: '68px', number: true, sort: 'cost', from: 560, show: text((t, at) => format.price(t.costOf(at))) },
            { title: 'Agent', width: 'minmax(80px, 1fr)', from: 1040, show: (cell, index) => this.#showAgent(cell, row(index)) },
            { title: 'What happened', width: 'minmax(120px, 2.5fr)', from: 860, show: (cell, index) => this.#showEvent(cell, row(index)) },
        ];
    }

    #showLink(cell, row) {
        if (!cell.firstChild) cell.append(h('a', { tabindex: -1 }));
        cell.firstChild.href = this.app.href({ view: 'task', run: this.#run.id, row });
        setText(cell.firstChild, String(this.#run.trace.id[row]));
    }

    #showStep(cell, row) {
        const { steps, trace } = this.#run;
        if (!cell.firstChild) cell.append(h('bdi', { class: 'name' }), h('span', { class: 'muted' }));
        setName(cell.firstChild, steps[trace.step[row]]?.name ?? '?', 120);
        setText(cell.lastChild, trace.final[row] ? ' finally' : '');
    }

    #showState(cell, row) {
        if (!cell.firstChild) cell.append(h('span'));
        showState(cell.firstChild, STATES[this.#run.trace.stateOf(row)]);
    }

    #showAgent(cell, row) {
        const { trace, info } = this.#run;
        if (!cell.firstChild) cell.append(h('bdi', { class: 'name' }));
        setName(cell.firstChild, trace.agent[row] === NO_AGENT ? '' : info.agents[trace.agent[row]] ?? '', 120);
    }

    #showEvent(cell, row) {
        const { trace } = this.#run;
        if (!cell.firstChild) cell.append(h('bdi', { class: 'name' }));
        setName(cell.firstChild, whatHappened(trace, row), 200);
    }

    #chooseStep() {
        const [kind, name] = this.step.value ? JSON.parse(this.step.value) : ['', ''];
        this.app.setQuery({ step: name, kind });
    }

    #open(index) {
        this.app.go({ view: 'task', run: this.#run.id, row: this.#list.rows[index] });
    }

    update(what) {
        if (this.#run === null || !this.#run.ready) return;
        const { query } = this.app.route;
        const asked = query !== this.#query;
        this.#query = query;
        if (what.has('run') || what.has('mount')) this.#showSteps();
        if (asked) this.#showQuery(query);
        if (asked || ['trace', 'state', 'run'].some((name) => what.has(name))) this.#stale = true;
        if (isOld(this.#found, this.#run.trace.position, performance.now())) this.#find(this.#found.text, this.#found);
        if (this.#stale) this.#refresh(asked || what.has('mount') || what.has('run'));
        else if (what.has('clock') && this.#run.trace.live.size) this.table.setRows(this.#list.rows.length);
    }

    #showSteps() {
        const { steps } = this.#run;
        const option = (step, kind) => h('option', { value: JSON.stringify([kind, step.name]) }, plain(step.name, 60) + (kind && ` (${kind})`));
        fill(this.step, h('option', { value: '' }, 'all steps'),
            steps.map((step) => [option(step, ''), (step.finally || step.gather) && option(step, 'finally')]));
        this.#showQuery(this.app.route.query);
    }

    #showQuery(query) {
        this.search.set(query.text ?? '');
        this.states.set(query.state ?? '');
        this.step.value = query.step ? JSON.stringify([query.kind ?? '', query.step]) : '';
        const sorted = order(query);
        this.table.setSort(sorted?.key, sorted?.descending);
        if ((query.text ?? '') !== this.#found.text) this.#find(query.text ?? '');
    }

    // What was found `before` stays until there is more.
    async #find(text, before = { rows: text ? new RowSet([]) : null, more: false, pending: text !== '' }) {
        const asked = performance.now();
        const { position } = this.#run.trace;
        this.#found = { ...before, text, position, asked, answered: NaN };
        if (!text) return;
        try {
            const { rows, more } = await this.app.source.search(this.#run.id, text);
            if (this.#found.text !== text) return;
            this.#found = { text, rows: new RowSet(rows), more, position, asked, answered: performance.now() };
        } catch (error) {
            if (this.#found.text !== text) return;
            this.#found = { ...this.#found, pending: false, answered: performance.now() };
            if (before.pending) this.app.notice(error.message, true);
        }
        this.#refresh(true);
    }

    #refresh(now) {
        const { trace, steps } = this.#run;
        const { query } = this.app.route;
        const chosen = this.#list.rows[this.table.selected];
        this.#run.listQuery = query;  // for the way back from a task
        const wanted = { criteria: criteria(query, steps), order: order(query), found: this.#found.rows };
        if (!this.#list.make(trace, wanted, () => performance.now(), this.app.now(), now)) return;
        this.#stale = false;
        this.#run.listed = this.#list.rows;
        this.table.selected = chosen === undefined ? -1 : this.#list.rows.indexOf(chosen);
        this.table.setRows(this.#list.rows.length);
        this.#showCounts();
    }

    #showCounts() {
        const { trace } = this.#run;
        const counts = countStates(trace);
        for (const { key, states } of TASK_FILTERS) if (states) this.states.count(key, counts[states[0]] ? format.short(counts[states[0]]) : '');
        const shown = this.#list.rows.length;
        const all = trace.total().tasks;
        const { pending, more } = this.#found;
        setText(this.count, pending ? 'searching…' : (shown === all ? format.plural(all, 'task')
            : `${format.count(shown)} of ${format.plural(all, 'task')}`) + (more ? ' (the search has more)' : ''));
    }

    unmount() {
        this.search.cancel();
        this.table.unmount();
    }
}

function attempts(trace, row) {
    return trace.flags[row] & FLAG.noAttempt ? '–' : String(trace.attempt[row]);
}

function whatHappened(trace, row) {
    const notes = [];
    if (trace.outcome[row] === OUTCOME.open) {
        const live = trace.live.get(row);
        if (live) notes.push(live.activity ?? live.phase);
        if (trace.attempt[row] > 1) notes.push(`after ${REASONS[trace.reason[trace.of[row]]]}`);
        return notes.join(' · ');
    }
    if (trace.reason[row]) notes.push(REASONS[trace.reason[row]]);
    if (trace.flags[row] & FLAG.reused) notes.push('reused');
    if (trace.flags[row] & FLAG.person) notes.push(trace.stateOf(row) === STATE.done ? 'answered by a person' : 'by a person');
    if (trace.flags[row] & FLAG.lenient) notes.push('lenient response');
    return notes.join(' · ');
}
