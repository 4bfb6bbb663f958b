// The names of the lanes, beside the canvas: those in sight have elements.

import { h, setAttribute, setText } from './dom.js';
import { icon } from './icons.js';
import { setName } from './shown_text.js';
import { laneAbout, laneTitle } from './timeline_tip.js';

export class LaneLabels {
    #shown = new Map();  // key of the lane -> element

    // toggle(lane): its bars are shown, or its curve again.
    constructor(toggle) {
        this.element = h('div', { class: 'lane-labels' });
        this.toggle = toggle;
    }

    clear() {
        this.#shown.clear();
        this.element.textContent = '';
    }

    // Those of `placed` (timeline_rows.js) between two heights.
    show(run, placed, top, bottom) {
        const wanted = new Set();
        for (const one of placed) {
            if (one.top + one.height < top || one.top > bottom) continue;
            wanted.add(one.lane.key);
            this.#label(one).update(run, one);
        }
        for (const [key, { element }] of this.#shown) {
            if (wanted.has(key)) continue;
            element.remove();
            this.#shown.delete(key);
        }
    }

    #label({ lane }) {
        const known = this.#shown.get(lane.key);
        if (known) return known;
        const title = h('bdi', { class: 'name' });
        const about = h('span', { class: 'muted' });
        const button = h('button', { type: 'button', class: 'quiet lane-toggle', on: { click: () => this.toggle(lane) } },
            icon('down'));
        const element = h('div', { class: 'lane-label' }, h('div', { class: 'lane-title' }, title, about), button);
        const label = { element, update: (run, placed) => update({ element, title, about, button }, run, placed) };
        this.#shown.set(lane.key, label);
        this.element.append(element);
        return label;
    }
}

function update({ element, title, about, button }, run, { lane, top, height, mode, canOpen }) {
    element.style.top = `${top}px`;
    element.style.height = `${height}px`;
    element.classList.toggle('low', height < 40);
    const text = laneTitle(run, lane);
    if (title.shown !== text) setName(title, title.shown = text, 80);
    setText(about, laneAbout(lane));
    button.hidden = !canOpen;
    setAttribute(button, 'aria-expanded', canOpen ? String(mode === 'bars') : null);
    setAttribute(button, 'aria-label', `Single attempts of ${text}`);
}
