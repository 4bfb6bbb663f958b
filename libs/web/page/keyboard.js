// Single keys: those of the page, and those of the view that is shown. `g` and a letter leads to another view.

import { showHelp } from './help.js';
import { RUN_VIEWS } from './routes.js';

const PLACES = { r: 'runs', h: 'questions', p: 'pools', g: 'graph', t: 'tasks', l: 'timeline' };
const SEQUENCE = 1500;  // ms, within which the letter follows the g

export class Keyboard {
    #view = {};
    #since = -Infinity;  // when g was pressed

    constructor(app) {
        this.app = app;
        document.addEventListener('keydown', (event) => this.#pressed(event));
    }

    setView(keys) {
        this.#view = keys;
    }

    // [[keys, what they do]], for the help.
    list() {
        const view = Object.entries(this.#view).filter(([, [text]]) => text !== null).map(([key, [text]]) => [key, text]);
        const places = Object.entries(PLACES).filter(([, place]) => this.#reachable(place)).map(([key, place]) => [`g ${key}`, place]);
        return [...view, ...places, ['d', 'dark or light'], ['?', 'this help'], ['Esc', 'leaves a field, closes a dialog']];
    }

    #reachable(place) {
        if (RUN_VIEWS.includes(place)) return Boolean(this.app.route.run);
        return place === 'pools' ? this.app.can.pools : this.app.can.runs;
    }

    #pressed(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
        if (isField(event.target)) {
            if (event.key === 'Escape') event.target.blur();
            return;
        }
        if (this.#follow(event.key, event.timeStamp) || this.#call(event)) event.preventDefault();
    }

    #follow(key, now) {
        const waiting = now - this.#since < SEQUENCE;
        this.#since = key === 'g' && !waiting ? now : -Infinity;
        const place = waiting ? PLACES[key] : undefined;
        if (place === undefined || !this.#reachable(place)) return key === 'g' && !waiting;
        this.app.go(RUN_VIEWS.includes(place) ? { view: place, run: this.app.route.run } : { view: place });
        return true;
    }

    #call(event) {
        if (event.key === '?') return showHelp(this.list()), true;
        if (event.key === 'd') return this.app.theme.toggle(), true;
        // A link or button does on Enter what it says.
        if (event.key === 'Enter' && event.target.closest('a, button, summary')) return false;
        const entry = this.#view[event.key];
        entry?.[1](event);
        return entry !== undefined;
    }
}

function isField(element) {
    return element.matches('input, textarea, select, [contenteditable]');
}
