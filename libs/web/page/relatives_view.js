// The tasks that a task came from and that came from it, as links.

import { h } from './dom.js';
import { name } from './shown_text.js';
import { stateMark } from './state_mark.js';
import { NONE, STATES } from './trace_store.js';
import * as format from './format.js';

const AT_FIRST = 50;

// A link to the task of a row, with its step and state.
export function taskLink(app, row) {
    const { id, steps, trace } = app.model.run;
    while (trace.next[row] !== NONE) row = trace.next[row];
    return h('a', { class: 'task-link', href: app.href({ view: 'task', run: id, row }) },
        h('span', { class: 'task-number' }, String(trace.id[row])), name(steps[trace.step[row]]?.name ?? '?', 60),
        trace.final[row] === 1 && h('span', { class: 'muted' }, 'finally'), stateMark(STATES[trace.stateOf(row)]));
}

// `rows`: of the children, of which there are `count`.
export function childLinks(app, rows, count) {
    const element = h('ul', { class: 'task-links' });
    addLinks(app, element, rows, 0, count);
    return element;
}

function addLinks(app, element, rows, begin, count) {
    const end = Math.min(rows.length, begin + (begin ? 10 * AT_FIRST : AT_FIRST));
    for (const row of rows.slice(begin, end)) element.append(h('li', {}, taskLink(app, row)));
    if (end < rows.length) {
        const more = h('li', {}, h('button', { type: 'button', class: 'more', on: { click: () => {
            more.remove();
            addLinks(app, element, rows, end, count);
        } } }, `Show more (${format.count(rows.length - end)} left)`));
        element.append(more);
    } else if (rows.length < count) {
        element.append(h('li', { class: 'muted' }, `and ${format.count(count - rows.length)} more`));
    }
}
