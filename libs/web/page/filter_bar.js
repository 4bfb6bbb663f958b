// The parts of the bars above tables: a search field and buttons of which one is chosen.

import { h, setAttribute } from './dom.js';
import { icon } from './icons.js';

const PAUSE = 150;  // ms without a key before the text counts

// changed(text) when the text has changed; set(text) shows another one; cancel() when the view is left.
export function searchField(label, changed) {
    let timer = 0;
    const input = h('input', { type: 'search', 'aria-label': label, placeholder: label, autocomplete: 'off', spellcheck: 'false' });
    const report = () => {
        clearTimeout(timer);
        timer = 0;
        changed(input.value.trim());
    };
    input.addEventListener('input', () => {
        clearTimeout(timer);
        timer = setTimeout(report, PAUSE);
    });
    input.addEventListener('keydown', (event) => event.key === 'Enter' && (report(), input.blur()));
    return {
        element: h('label', { class: 'search' }, icon('search'), input, h('kbd', { 'aria-hidden': 'true' }, '/')),
        focus() {
            input.focus();
            input.select();
        },
        set: (text) => timer || input.value.trim() === text || (input.value = text),
        cancel: () => clearTimeout(timer),
    };
}

// options: [[key, title, whether it has a number]]; changed(key) on a click. set(key) marks one; count(key, text) shows a number beside its title.
export function choiceButtons(label, options, changed) {
    const buttons = new Map(options.map(([key, title, counted]) => [key, h('button', { type: 'button', 'aria-pressed': 'false',
        on: { click: () => changed(key) } }, h('span', {}, title), counted && h('span', { class: 'choice-count' }))]));
    return {
        element: h('div', { class: 'choices', role: 'group', 'aria-label': label }, [...buttons.values()]),
        set(chosen) {
            for (const [key, button] of buttons) setAttribute(button, 'aria-pressed', key === chosen ? 'true' : 'false');
        },
        count(key, text) {
            const field = buttons.get(key).lastChild;
            if (field.textContent !== text) field.textContent = text;
        },
    };
}
