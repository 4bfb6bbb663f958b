// What the query of the tasks' address means for a trace. Pure.
// query: { step: name, kind: 'finally' or '', state: key of TASK_FILTERS, text, sort: '-duration', … }

import { STATE } from './trace_store.js';
import { SORT_KEYS } from './trace_query.js';

export const TASK_FILTERS = [
    { key: '', title: 'all', states: null },
    { key: 'waiting', title: 'waiting', states: [STATE.waiting] },
    { key: 'running', title: 'running', states: [STATE.running] },
    { key: 'human', title: 'human', states: [STATE.human] },
    { key: 'done', title: 'done', states: [STATE.done] },
    { key: 'dropped', title: 'dropped', states: [STATE.dropped] },
    { key: 'retried', title: 'retried', states: null, retried: true },
];

// For trace_query.filter(), without `found`.
export function criteria(query, steps) {
    const { states, retried = false } = TASK_FILTERS.find(({ key }) => key === (query.state ?? '')) ?? TASK_FILTERS[0];
    const step = query.step ? steps.findIndex(({ name }) => name === query.step) : -1;
    return { step: query.step && step < 0 ? steps.length : step, final: query.step ? query.kind === 'finally' : null, states, retried };
}

// { key, descending }, or null for the order of the log.
export function order(query) {
    const text = query.sort ?? '';
    const descending = text.startsWith('-');
    const key = descending ? text.slice(1) : text;
    return SORT_KEYS.includes(key) ? { key, descending } : null;
}

// The next order after a click on a header: largest first, smallest first, order of the log.
export function nextOrder(query, key) {
    const now = order(query);
    if (now?.key !== key) return '-' + key;
    return now.descending ? key : '';
}
