// The box beside the pointer, or beside the chosen attempt, and what is said of it.

import { fill, h, setText } from './dom.js';

const APART = 14;  // pixels

export class TimelineTip {
    constructor() {
        this.element = h('div', { class: 'timeline-tip', hidden: true, 'aria-hidden': 'true' });
        this.spoken = h('div', { class: 'visually-hidden', role: 'status' });
    }

    // lines: the first is a heading; x, y: in the element around this one.
    show(lines, { x, y }) {
        fill(this.element, lines.map((line, i) => h('div', { class: i === 0 ? 'tip-heading' : 'tip-line' }, line)));
        this.element.hidden = false;
        const room = this.element.parentElement;
        const left = x + APART + this.element.offsetWidth > room.clientWidth ? Math.max(0, x - APART - this.element.offsetWidth) : x
            + APART;
        const top = Math.max(0, Math.min(y + APART, room.clientHeight - this.element.offsetHeight));
        this.element.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
    }

    hide() {
        this.element.hidden = true;
    }

    say(lines) {
        setText(this.spoken, lines.join(', '));
    }
}
