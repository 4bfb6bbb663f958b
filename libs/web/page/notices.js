// Messages that go by themselves, read aloud by screen readers.

import { h } from './dom.js';
import { name } from './shown_text.js';

const SHOWN = 6000;  // ms
const SHOWN_ERROR = 15000;

export function notices() {
    const element = h('div', { class: 'notices', role: 'status', 'aria-live': 'polite' });
    return {
        element,
        clear: () => (element.textContent = ''),
        // Those of what is over.
        drop() {
            for (const notice of [...element.children]) if (notice.isOver?.()) notice.remove();
        },
        // isOver(): the message says what is not so any more
        show(text, isError, isOver = null) {
            const notice = h('div', { class: isError ? 'notice error' : 'notice' }, name(text, 600),
                h('button', { type: 'button', class: 'quiet', 'aria-label': 'Dismiss', on: { click: () => notice.remove() } }, '×'));
            notice.isOver = isOver;
            element.append(notice);
            setTimeout(() => notice.remove(), isError ? SHOWN_ERROR : SHOWN);
        },
    };
}
