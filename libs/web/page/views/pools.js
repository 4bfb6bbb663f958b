// The pools of this machine, as `troupe top` shows one: agents, queue, throughput, and what is in the way.

import { fill, h, setText } from '../dom.js';
import { PoolCard } from '../pool_card.js';
import { PoolHistory } from '../pool_model.js';
import * as format from '../format.js';

const histories = new Map();  // by the key of the pool, as long as the page is open

function historyOf(key) {
    if (!histories.has(key)) histories.set(key, new PoolHistory());
    return histories.get(key);
}

export function mount(root, app) {
    return new PoolsView(root, app);
}

class PoolsView {
    #cards = new Map();

    constructor(root, app) {
        this.app = app;
        this.count = h('span', { class: 'muted', role: 'status' });
        this.list = h('div', { class: 'pools' });
        this.empty = h('div', { class: 'message', hidden: true });
        root.append(h('div', { class: 'tools' }, h('h1', {}, 'Pools'), this.count),
            h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Pools' }, this.empty, this.list));
    }

    update(what) {
        const { pools } = this.app.model;
        if (pools !== null && (what.has('pools') || what.has('mount'))) this.#take(pools);
        if (what.has('clock')) for (const card of this.#cards.values()) card.tick();
    }

    #take(pools) {
        const old = this.#cards;
        this.#cards = new Map();
        for (const pool of pools) {
            const key = pool.path ?? pool.pool;
            const card = this.#cards.get(key) ?? old.get(key) ?? new PoolCard(pool.pool, historyOf(key));
            this.#cards.set(key, card);
            card.take(pool);
        }
        const elements = [...this.#cards.values()].map((card) => card.element);
        if (elements.length !== this.list.children.length
            || elements.some((element, i) => this.list.children[i] !== element)) fill(this.list, elements);
        setText(this.count, pools.length ? format.plural(pools.length, 'pool') : '');
        this.empty.hidden = pools.length > 0;
        setText(this.empty, 'There is no pool. Start one with troupe start, or a run with agents.');
    }

    unmount() {}
}
