// The steps of a run as a table: what the graph shows, in words and numbers, and what they took.

import { h, setText } from './dom.js';
import { name } from './shown_text.js';
import { actionOf } from './graph_node.js';
import { hasFinal } from './workflow_graph.js';
import * as format from './format.js';

const NUMBERS = [
    ['waiting', ({ waiting }) => number(waiting)],
    ['at pool', ({ pool }) => number(pool)],
    ['running', ({ running }) => number(running)],
    ['for people', ({ human }) => number(human)],
    ['done', ({ done }) => number(done)],
    ['dropped', ({ dropped }) => number(dropped)],
    ['retries', ({ retries }) => number(retries)],
    ['average time', ({ time, attempts }) => (attempts ? format.duration(time / attempts) : '')],
    ['tokens', ({ tokens }) => (tokens ? format.short(tokens) : '')],
    ['cost', ({ usd, priced }) => (priced ? format.dollars(usd) : '')],
];

const number = (count) => (count ? format.count(count) : '');

// { element, show(counts): as of step_counts.js }
export function stepTable(steps, hrefOf) {
    const rows = steps.flatMap((step, index) => [row(step, index, false, hrefOf),
        ...(hasFinal(step) ? [row(step, index, true, hrefOf)] : [])]);
    const element = h('table', { class: 'plain-table step-table' },
        h('caption', {}, 'Steps'),
        h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'step'), h('th', { scope: 'col' }, 'done by'),
            h('th', { scope: 'col' }, 'leads to'),
            NUMBERS.map(([title]) => h('th', { scope: 'col', class: 'number' }, title)))),
        h('tbody', {}, rows.map((one) => one.element)));
    return { element, show: (counts) => rows.forEach((one) => one.show(counts[one.index][one.final ? 'final' : 'own'])) };
}

function row(step, index, final, hrefOf) {
    const cells = NUMBERS.map(() => h('td', { class: 'number' }));
    const what = step.gather ? 'gather' : 'finally';
    const link = h('a', { href: hrefOf(step, final) }, name(step.name, 120), final && ` ${what}`);
    const element = h('tr', {}, h('th', { scope: 'row' }, link), h('td', {}, final ? what : doneBy(step)),
        h('td', {}, final ? gathered(step) : nextOf(step)), cells);
    const show = (counts) => {
        NUMBERS.forEach(([, text], i) => setText(cells[i], text(counts)));
        cells[NUMBERS.findIndex(([title]) => title === 'dropped')].classList.toggle('dropped', counts.dropped > 0);
    };
    return { element, index, final, show };
}

function doneBy(step) {
    return [step.pre && 'pre', actionOf(step), step.post && 'post'].filter(Boolean).join(' → ');
}

function nextOf(step) {
    return (step.next ?? []).flatMap((one, i) => [i > 0 && ', ', name(one, 80)]);
}

function gathered(step) {
    return step.gather ? [name(step.gather.into, 80), ', with the results of ',
        (step.gather.of ?? []).flatMap((one, i) => [i > 0 && ', ', name(one, 80)])] : '';
}

