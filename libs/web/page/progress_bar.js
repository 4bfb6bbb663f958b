// A bar of the shares of all tasks that are done, dropped, running (or at the pool) and waiting for people; what is left of it waits.

import { h, setAttribute } from './dom.js';
import { percent } from './format.js';

const KINDS = ['done', 'dropped', 'running', 'human'];

export function progressBar() {
    const fills = KINDS.map((kind) => h('span', { class: `fill ${kind}` }));
    const element = h('div', { class: 'bar', role: 'img' }, fills);
    return { element, show: (counts) => show(element, fills, counts) };
}

function show(element, fills, counts) {
    let from = 0;
    KINDS.forEach((kind, i) => {
        const count = (counts[kind] ?? 0) + (kind === 'running' ? counts.pool ?? 0 : 0);
        const share = counts.tasks ? count / counts.tasks : 0;
        fills[i].style.setProperty('--from', from);
        fills[i].style.setProperty('--share', share);
        from += share;
    });
    setAttribute(element, 'aria-label', `${percent((counts.done ?? 0) + (counts.dropped ?? 0), counts.tasks) || '0 %'} ended`);
}
