// Dialogs over the page. The browser keeps the focus in them, and gives it back.

import { h } from './dom.js';

let number = 0;

// Opens one. actions: [{ text, kind: 'primary' | 'danger' | undefined, run: () => promise or value }]: a button each, beside one
// that closes. A dialog is closed when `run` does not return false.
export function dialog(title, body, actions) {
    const id = `dialog-${++number}`;
    const element = h('dialog', { 'aria-labelledby': id, on: { close: () => element.remove() } },
        h('form', { method: 'dialog', on: { submit: (event) => event.preventDefault() } },
            h('h2', { id }, title), h('div', { class: 'dialog-body' }, body),
            h('div', { class: 'dialog-buttons' },
                actions.map((action) => actionButton(action, () => element.close())),
                h('button', { type: 'button', on: { click: () => element.close() } }, actions.length ? 'Back' : 'Close'))));
    document.body.append(element);
    element.showModal();
    return element;
}

function actionButton({ text, kind, run }, close) {
    const button = h('button', { type: kind === 'primary' ? 'submit' : 'button', class: kind, on: { click: async () => {
        button.disabled = true;
        const done = await run();
        button.disabled = false;
        if (done !== false) close();
    } } }, text);
    return button;
}
