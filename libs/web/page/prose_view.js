// Shows instructions: paragraphs and code, all of it as text.

import { h } from './dom.js';
import { longText } from './shown_text.js';
import { inlineOf, proseOf } from './prose.js';

export function proseView(text) {
    return h('div', { class: 'prose', dir: 'auto' }, proseOf(text).map(partView));
}

function partView({ kind, text }) {
    if (kind === 'code') return h('pre', { class: 'prose-code', tabindex: 0 }, longText(text));
    const pieces = inlineOf(text).map((piece) => (piece.style === 'plain' ? longText(piece.text)
        : h(piece.style, {}, longText(piece.text))));
    return h('p', { class: `prose-${kind}` }, pieces);
}
