// The steps of a run as a graph, with how many tasks of each are in which state while it goes on. Never a box a task.

import { fill, h } from '../dom.js';
import { graphNode } from '../graph_node.js';
import { GraphPicture } from '../graph_picture.js';
import { stepTable } from '../step_table.js';
import { EmittedSteps, stepCounts } from '../step_counts.js';
import { graphOf } from '../workflow_graph.js';

export function mount(root, app) {
    return new GraphView(root, app);
}

class GraphView {
    #steps = null;
    #emitted = new EmittedSteps();
    #nodes = [];
    #table = null;
    #at = -1;  // place of the focused step in the order of reading

    constructor(root, app) {
        this.app = app;
        this.picture = new GraphPicture();
        this.tableRoom = h('div', { class: 'step-room' });
        this.legend = h('ul', { class: 'graph-legend', 'aria-label': 'Arrows' });
        const button = (text, label, run) => h('button',
            { type: 'button', class: 'quiet', 'aria-label': label, title: label, on: { click: run } }, text);
        this.tools = h('div', { class: 'graph-tools' }, this.legend, h('span', { class: 'graph-zoom' },
            button('−', 'Smaller', () => this.picture.zoom(1 / 1.25)), button('+', 'Larger', () => this.picture.zoom(1.25)),
            button('all', 'all of the graph', () => this.picture.overview())));
        root.append(h('h2', { class: 'visually-hidden' }, 'Graph'),
            h('div', { class: 'scroll graph-page' }, this.tools, this.picture.element, this.tableRoom));
        this.keys = {
            'j': ['next step', () => this.#move(1)], 'k': ['previous step', () => this.#move(-1)],
            '+': ['larger', () => this.picture.zoom(1.25)], '-': ['smaller', () => this.picture.zoom(1 / 1.25)],
            '0': ['the whole graph', () => this.picture.overview()],
        };
    }

    #move(by) {
        const { order } = this.picture;
        if (order.length === 0) return;
        const focused = order.findIndex((i) => this.#nodes[i].main === document.activeElement);
        this.#at = Math.max(0, Math.min(order.length - 1, (focused >= 0 ? focused : this.#at) + by));
        this.#nodes[order[this.#at]].main.focus();
    }

    update(what) {
        const { run } = this.app.model;
        if (run === null || !run.ready) return;
        const changed = this.#emitted.take(run.trace);
        if (run.steps !== this.#steps || changed) this.#build(run);
        if (['mount', 'run', 'trace', 'state'].some((name) => what.has(name)) || changed) this.#show(run);
    }

    #hrefOf(step, final) {
        return this.app.href({ view: 'tasks', run: this.app.route.run, query: { step: step.name, kind: final ? 'finally' : '' } });
    }

    #build(run) {
        this.#steps = run.steps;
        const graph = graphOf(run.steps, run.info.entrypoint, this.#emitted.pairs.values());
        this.#nodes = run.steps.map((step) => graphNode(step, (final) => this.#hrefOf(step, final)));
        this.picture.setGraph(graph, this.#nodes);
        this.#table = stepTable(run.steps, (step, final) => this.#hrefOf(step, final));
        fill(this.tableRoom, this.#table.element);
        const kinds = new Set(graph.edges.map(({ kind }) => kind));
        if (this.picture.arrows?.some(({ element }) => element.classList.contains('back'))) kinds.add('back');
        fill(this.legend, ARROWS.filter(([kind]) => kinds.has(kind)).map(([kind, text]) => h('li', { class: `legend-${kind}` }, text)));
    }

    #show(run) {
        const counts = stepCounts(run);
        this.#nodes.forEach((node, i) => node.show(counts[i]));
        this.#table.show(counts);
    }

    unmount() {
        this.picture.unmount();
    }
}

const ARROWS = [['next', 'may follow'], ['back', 'leads back'], ['gather', 'gathers results'], ['emits', 'emitted by a finally']];
