// The box of a step in the graph, and what is written into it while the run goes on. It never changes its size.

import { fill, h, setText } from './dom.js';
import { icon } from './icons.js';
import { progressBar } from './progress_bar.js';
import { name } from './shown_text.js';
import { hasFinal } from './workflow_graph.js';
import * as format from './format.js';

const ACTIONS = { Command: ['command', 'Command'], Pool: ['agent', 'agents'], Human: ['human', 'a person'] };

export function actionOf(step) {
    return ACTIONS[step.action]?.[1] ?? step.action;
}

const NOUNS = { waiting: 'waiting', pool: 'at the pool', running: 'running', human: 'waiting for a person', done: 'done', dropped: 'dropped',
    retries: 'retries' };

const MARKS = { pool: ['running', 'agent'], retries: ['retried', 'retried'] };  // class and icon, if they are not the name

// hrefOf(final): where the box, or the line of its `finally`, leads. { element, show({ own, final }) }
export function graphNode(step, hrefOf) {
    const bar = progressBar();
    const share = h('span', { class: 'graph-share' });
    const counts = countFields(['waiting', 'pool', 'running', 'human', 'done', 'dropped', 'retries'], 6);
    const main = h('a', { class: 'graph-main', href: hrefOf(false) },
        h('span', { class: 'graph-title' }, icon(ACTIONS[step.action]?.[0] ?? 'command'), name(step.name, 120), spoken(actionOf(step)),
            hookTags(step), share),
        bar.element, h('span', { class: 'graph-counts' }, counts.places));
    const final = hasFinal(step) ? finalLine(step, hrefOf(true)) : null;
    const element = h('div', { class: `graph-node action-${step.action}` }, main, final?.element);
    const show = ({ own, final: finals }) => {
        bar.show(own);
        setText(share, own.tasks ? `${format.short(own.done + own.dropped)}/${format.short(own.tasks)}` : '');
        counts.show(own);
        element.classList.toggle('idle', own.tasks === 0);
        element.classList.toggle('failing', own.dropped > 0);
        final?.show(finals);
    };
    return { element, main, show };
}

function hookTags(step) {
    return ['pre', 'post'].filter((hook) => step[hook]).map((hook) => h('span', { class: 'tag', title: `has a ${hook} hook` }, hook));
}

// Words for those who do not see the drawings.
function spoken(text) {
    return h('span', { class: 'visually-hidden' }, `, ${text} `);
}

// The counts that are not 0, side by side from the left. They change their places in a row of fixed ones, so nothing is shifted.
function countFields(kinds, room) {
    const fields = kinds.map((kind) => countField(kind));
    const places = Array.from({ length: room }, () => h('span'));
    const show = (sums) => {
        const shown = fields.filter(({ kind }) => sums[kind] > 0).slice(0, room);
        for (const { kind, value } of shown) setText(value, format.short(sums[kind]));
        places.forEach((place, i) => {
            if (place.firstChild !== (shown[i]?.element ?? null)) fill(place, shown[i]?.element);
        });
    };
    return { places, show };
}

function countField(kind) {
    const value = h('span');
    const [mark, drawing] = MARKS[kind] ?? [kind, kind];
    const element = h('span', { class: `graph-count ${mark}`, title: NOUNS[kind] }, icon(drawing), value, spoken(NOUNS[kind]));
    return { kind, element, value };
}

function finalLine(step, href) {
    const counts = countFields(['waiting', 'running', 'done', 'dropped'], 4);
    const element = h('a', { class: 'graph-final', href },
        h('span', { class: 'graph-what' }, step.gather ? 'gather' : 'finally', spoken(`of ${step.name}`)),
            counts.places);
    return { element, show: counts.show };
}
