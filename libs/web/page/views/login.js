// What is shown without a token.

import { h, setText } from '../dom.js';

export function mount(root, app) {
    const token = h('input', { type: 'password', name: 'token', autocomplete: 'off', required: true, size: 44 });
    const problem = h('p', { class: 'dropped', role: 'alert' });
    root.append(h('div', { class: 'message scroll' },
        h('h1', {}, 'This page needs the token'),
        h('p', {}, 'Open the address that ', h('code', {}, 'barnum serve'), ' has printed. It contains the token, which is also in the file ',
            h('code', {}, 'token'), ' of its state directory.'),
        h('form', { on: { submit: (event) => submit(event, app, token, problem) } },
            h('label', { class: 'field' }, h('span', {}, 'Token'), token),
            h('button', { class: 'primary' }, 'Log in')),
        problem));
    setText(problem, app.route.problem ?? '');
    token.focus();
    return { update() {}, unmount() {} };
}

async function submit(event, app, token, problem) {
    event.preventDefault();
    const message = await app.logIn(token.value.trim());
    if (message !== null) setText(problem, message);
}
