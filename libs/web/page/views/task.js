// One task: its value in and out, its instructions, its attempts, its output while it writes, its parent and children, and why
// it was executed.

import { fill, h } from '../dom.js';
import { block, name } from '../shown_text.js';
import { attemptList, attemptView } from '../attempt_view.js';
import { OutputView } from '../output_view.js';
import { childLinks, taskLink } from '../relatives_view.js';
import { retry } from '../run_actions.js';
import { isLive } from '../run_summary.js';
import { stateMark } from '../state_mark.js';
import { NONE, OUTCOME, STATES } from '../trace_store.js';
import { valueView } from '../value_view.js';
import * as format from '../format.js';

export function mount(root, app) {
    return new TaskView(root, app);
}

class TaskView {
    #shown = null;   // { row, last, state, task }
    #output = null;
    #asked = 0;

    constructor(root, app) {
        this.app = app;
        this.body = h('div', { class: 'scroll task', tabindex: -1 });
        root.append(this.body);
        this.keys = {
            '/': ['searches in the value', () => this.value?.focus()],
            j: ['next task of the list', () => this.#step(1)],
            k: ['task before in the list', () => this.#step(-1)],
            u: ['up to the parent', () => this.#goTo(this.#shown?.task?.parent ?? null)],
            b: ['back to the list', () => app.go({ view: 'tasks', run: app.route.run, query: app.model.run.listQuery })],
        };
    }

    // What the list of tasks shows is walked through here as well.
    #step(by) {
        const rows = this.app.model.run.listed ?? [];
        const at = rows.indexOf(this.#shown?.last);
        if (at >= 0 && rows[at + by] !== undefined) this.#goTo(rows[at + by]);
    }

    #goTo(row) {
        if (row !== null) this.app.go({ view: 'task', run: this.app.route.run, row });
    }

    update() {
        const { model: { run }, route } = this.app;
        if (run === null || !run.ready) return;
        const { trace } = run;
        if (route.row >= trace.rows) {
            if (this.#shown?.row !== route.row) fill(this.body, h('div', { class: 'message' }, h('h2', {}, 'There is no such task in this run.')));
            this.#shown = { row: route.row };
            return;
        }
        let last = route.row;
        while (trace.next[last] !== NONE) last = trace.next[last];
        const state = trace.stateOf(last);
        const { row, last: shownLast, state: shownState } = this.#shown ?? {};
        if (row === route.row && shownLast === last && shownState === state) return this.#showLive();
        const another = row !== route.row;
        this.#shown = { row: route.row, last, state, task: another ? null : this.#shown.task };
        this.#load(run, another);
    }

    async #load(run, another) {
        const asked = ++this.#asked;
        const { last } = this.#shown;
        if (another) this.#endOutput();
        try {
            const task = await this.app.source.task(run.id, last);
            if (asked !== this.#asked || this.gone) return;
            this.#shown.task = task;
            this.#show(run, task, another);
        } catch (error) {
            if (asked === this.#asked) fill(this.body, h('div', { class: 'message' }, h('h2', {}, 'This task cannot be shown.'), name(error.message)));
        }
    }

    #show(run, task, another) {
        if (!another) return this.#showChanged(run, task);
        const { app } = this;
        const step = run.steps.find((one) => one.name === task.step) ?? {};
        this.attemptPlace = h('div');
        this.head = h('header', { class: 'task-head' });
        this.links = h('div');
        this.value = valueView(app, task.value, 'Value', task.value_left_out);
        this.outputPlace = h('div');
        fill(this.body, this.head, h('div', { class: 'task-columns' },
            h('div', { class: 'task-column' },
                section('Value', this.value.element),
                step.instructions && section('Instructions', block(step.instructions)),
                step.script && section(task.finally ? 'Script of the step' : 'Script', block(step.script, 'mono')),
                app.can.why && section('Why it ran', this.#why(run, task))),
            h('div', { class: 'task-column attempts-column' }, section('Attempts', this.attemptPlace)),
            h('div', { class: 'task-column' }, section('Output', this.outputPlace), section('Related tasks', this.links))));
        this.body.scrollTop = 0;
        this.#showChanged(run, task);
        this.#output = new OutputView(app, run.id, task.row);
        fill(this.outputPlace, this.#output.element);
    }

    // What may change while the task goes on.
    #showChanged(run, task) {
        const live = run.trace.live.get(this.#shown.last);
        fill(this.head, this.#heading(run, task));
        fill(this.attemptPlace, this.attempts = attemptList(this.app, task.attempts, live));
        fill(this.links, this.#relatives(task));
        this.liveText = '';
    }

    #heading(run, task) {
        const state = STATES[run.trace.stateOf(this.#shown.last)];
        const canRetry = this.app.can.act && state === 'dropped' && !isLive(run.record);
        const last = task.attempts[task.attempts.length - 1];
        return [h('h2', {}, `Task ${task.id} `, name(task.step, 100), task.finally && ' finally'), stateMark(state),
            h('span', { class: 'muted' }, [format.plural(task.attempts.length, 'attempt'), format.duration((last.ended ?? NaN) - last.started)].filter(Boolean).join(' · ')),
            h('span', { class: 'spring' }),
            state === 'human' && this.app.can.act && h('a', { class: 'button primary', href: this.app.href({ view: 'questions', asked: { run: run.id, task: task.id } }) }, 'Answer'),
            canRetry && h('button', { type: 'button', class: 'primary', on: { click: () => retry(this.app, { tasks: [task.id] }) } }, 'Retry this task')];
    }

    #relatives(task) {
        const { trace } = this.app.model.run;
        const above = task.finally ? trace.of[trace.chain(this.#shown.last)[0]] : task.parent ?? NONE;
        return h('dl', { class: 'relatives' },
            h('div', {}, h('dt', {}, task.finally ? 'Its task' : 'Parent'), h('dd', {}, above < trace.rows ? taskLink(this.app, above) : 'none')),
            h('div', {}, h('dt', {}, `Children (${format.count(task.children_count)})`),
                h('dd', {}, task.children_count ? childLinks(this.app, task.children, task.children_count) : 'none')));
    }

    #why(run, task) {
        const place = h('div', { class: 'why' });
        this.app.source.why(run.id, task.row).then((text) => fill(place, block(text, 'mono')), (error) => fill(place, name(error.message)));
        return place;
    }

    // An attempt that runs: how long, and what its agent does.
    #showLive() {
        const { trace } = this.app.model.run;
        const { task, last } = this.#shown;
        const live = trace.live.get(last);
        if (!task || !live || trace.outcome[last] !== OUTCOME.open) return;
        const text = `${live.phase} ${live.activity} ${Math.floor(this.app.now() / 1000)}`;
        if (text === this.liveText) return;
        const attempt = task.attempts[task.attempts.length - 1];
        attempt.started ??= live.since;
        this.attempts.firstChild?.replaceWith(attemptView(this.app, attempt, undefined, live));
        this.liveText = text;
    }

    #endOutput() {
        this.#output?.unmount();
        this.#output = null;
    }

    unmount() {
        this.gone = true;
        this.#endOutput();
    }
}

function section(title, ...content) {
    return h('section', { class: 'task-section' }, h('h3', {}, title), content);
}
