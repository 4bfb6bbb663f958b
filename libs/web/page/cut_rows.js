// The rows of a table that may have very many: the first hundred, and the others when somebody wants them. Rows stay, only their
// text changes.

import { h, setText } from './dom.js';
import * as format from './format.js';

const FIRST = 100;

export class CutRows {
    #rows = [];
    #all = false;
    #shown = [];  // the arguments of the last show()

    // body: the <tbody>. makeRow(): { element, show(item, ...more) }. noun: of an item, for the button `more`.
    constructor(body, noun, makeRow) {
        Object.assign(this, { body, noun, makeRow });
        this.more = h('button', { type: 'button', hidden: true, on: { click: () => this.#showAll() } });
    }

    show(items, ...more) {
        this.#shown = [items, ...more];
        const shown = this.#all ? items : items.slice(0, FIRST);
        while (this.#rows.length > shown.length) this.#rows.pop().element.remove();
        shown.forEach((item, i) => {
            if (!this.#rows[i]) this.body.append((this.#rows[i] = this.makeRow()).element);
            this.#rows[i].show(item, ...more);
        });
        this.more.hidden = shown.length === items.length;
        setText(this.more, `Show all ${format.plural(items.length, this.noun)}`);
    }

    #showAll() {
        this.#all = true;
        this.show(...this.#shown);
    }
}
