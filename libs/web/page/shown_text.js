// Elements that show text of others safely: isolated in direction, with hidden characters as marks, and long text in pieces.

import { fill, h } from './dom.js';
import { cutAt, parts, pieceEnd } from './text.js';
import * as format from './format.js';

const mark = (part) => typeof part === 'string' ? part : h('span', { class: 'hidden-char', title: 'a character that is not visible' }, part.code);

// A short text on one line, such as a name or a message: <bdi>. Cut by CSS where it has no room, and at `limit` in any case.
export function name(text, limit = 400) {
    const cut = cutAt(text, limit);
    return h('bdi', { class: 'name' }, parts(cut).map(mark), cut.length < text.length && '…');
}

// Changes what a <bdi> of name() shows.
export function setName(element, text, limit = 400) {
    const cut = cutAt(text, limit);
    const found = parts(cut);
    if (found.length > 1 || typeof found[0] !== 'string') fill(element, found.map(mark), cut.length < text.length && '…');
    else element.textContent = cut.length < text.length ? cut + '…' : cut;
}

const FIRST_PIECE = 2000;   // characters
const NEXT_PIECE = 100000;

// Text of any length with its lines, in a box that scrolls.
export function block(text, kind = '') {
    return h('div', { class: `text-block ${kind}`, tabindex: 0, role: 'group' }, longText(text, 20000));
}

// Text of any length within other text. What is longer than `first` is added piece by piece, by a button.
export function longText(text, first = FIRST_PIECE) {
    const element = h('bdi', { class: 'long-text' });
    addPiece(element, text, 0, first);
    return element;
}

function addPiece(element, text, begin, length) {
    const end = pieceEnd(text, begin, length);
    element.append(...parts(text.slice(begin, end)).map(mark));
    if (end === text.length) return;
    const button = h('button', { type: 'button', class: 'more', on: { click: (event) => {
        event.stopPropagation();
        button.remove();
        addPiece(element, text, end, NEXT_PIECE);
    } } }, `Show more (${format.size(text.length - end)} left)`);
    element.append(button);
}
