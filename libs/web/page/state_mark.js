// A state as its mark and its word, for tasks and for runs.

import { h, setClass, setText } from './dom.js';
import { icon } from './icons.js';

const ICONS = { waiting: 'waiting', running: 'running', human: 'human', done: 'done', finished: 'done', dropped: 'dropped', failed: 'dropped',
    retried: 'retried', resumed: 'retried', paused: 'paused', interrupted: 'paused', lost: 'lost',
    damaged: 'lost' };

export function stateMark(state) {
    const element = h('span', { class: 'state' });
    return showState(element, state);
}

// Changes what such an element shows; `word` in the place of the state's own name.
export function showState(element, state, word = state) {
    if (element.state !== state) {
        element.state = state;
        element.textContent = '';
        element.append(icon(ICONS[state] ?? 'waiting'), h('span'));
        setClass(element, `state ${state}`);
    }
    setText(element.lastChild, word);
    return element;
}
