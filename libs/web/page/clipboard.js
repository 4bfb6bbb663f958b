// Copies text as it is.

import { h } from './dom.js';

async function copyText(text) {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        copyByField(text);  // a page from a file, or over plain HTTP from another machine
    }
}

function copyByField(text) {
    const field = h('textarea', { class: 'visually-hidden', 'aria-hidden': 'true' });
    field.value = text;
    (document.querySelector('dialog[open]') ?? document.body).append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
}

// A button that copies what `text()` gives.
export function copyButton(app, text, label = 'Copy') {
    return h('button', { type: 'button', title: 'Copies it as it was written', on: { click: async () => {
        await copyText(text());
        app.notice('Copied.');
    } } }, label);
}
