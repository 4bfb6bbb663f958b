// Small drawings, in the colour of the text. Decoration: what they mean stands beside them or in an aria-label.

import { s } from './dom.js';

const PATHS = {
    tent: 'M2 13 8 2l6 11M5.5 13 8 2l2.5 11M1 13.5h14',
    theme: 'M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11',
    help: 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.3 8.7 8 9 8 10M8 12.3v.4',
    waiting: 'M8 3a5 5 0 1 0 0 10A5 5 0 1 0 8 3z',
    running: 'M5 3.5v9l7-4.5z',
    command: 'M2.5 3.5h11v9h-11zM5 6.5 7 8 5 9.5M8.5 10h2.5',
    agent: 'M4 6.5h8v6H4zM8 6.5V4M8 3.2v.1M6.3 9.2v.6M9.7 9.2v.6M2.5 9v1.5M13.5 9v1.5',
    human: 'M8 7.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6zM3.5 13.5c.3-3 2-4.3 4.5-4.3s4.2 1.3 4.5 4.3',
    done: 'M3 8.5 6.5 12 13 4.5',
    dropped: 'M4 4l8 8M12 4l-8 8',
    retried: 'M12.5 5A5.2 5.2 0 1 0 13 9.5M12.8 2v3.2H9.6',
    paused: 'M5.5 3.5v9M10.5 3.5v9',
    lost: 'M8 2.5 14.5 13.5H1.5zM8 6.5v3.5M8 11.7v.3',
    search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.5 10.5 14 14',
    copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
    up: 'M3.5 10 8 5.5l4.5 4.5',
    down: 'M3.5 6 8 10.5 12.5 6',
};
const FILLED = new Set(['running']);

export function icon(name) {
    return s('svg', { class: FILLED.has(name) ? 'icon filled' : 'icon', viewBox: '0 0 16 16', 'aria-hidden': 'true', focusable: 'false' },
        s('path', { d: PATHS[name] }));
}
