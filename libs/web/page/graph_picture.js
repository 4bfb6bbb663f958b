// The picture of a workflow: boxes over the lines of an SVG, at a scale that is chosen. What moves when it is scrolled is the
// box around it.

import { fill, h, s } from './dom.js';
import { bestLayout, scaleOf } from './graph_layout.js';
import { readingOrder } from './workflow_graph.js';

const MARGIN = 16;
const HIGHEST = 0.65;  // of the window, as in graph.css
const SMALLEST = 0.25;
const LARGEST = 2;
const READABLE = 0.8;  // the picture is not made smaller than that in order to fit

export class GraphPicture {
    #layout = null;
    #graph = null;
    #nodes = [];
    #scale = 1;
    #fitted = true;  // the scale follows the size of the window

    constructor() {
        this.lines = s('svg', { class: 'graph-lines', 'aria-hidden': 'true' });
        this.boxes = h('div', { class: 'graph-boxes' });
        this.picture = h('div', { class: 'graph-picture' }, this.lines, this.boxes);
        this.sized = h('div', { class: 'graph-sized' }, this.picture);
        this.room = h('div', { class: 'graph-room' }, this.sized);
        this.element = h('div', { class: 'graph-scroll', role: 'group', 'aria-label': 'Graph of the steps', tabindex: 0,
            on: { wheel: (event) => this.#wheel(event), pointerdown: (event) => this.#drag(event) } }, this.room);
        this.observer = new ResizeObserver(() => this.#fit());
        this.observer.observe(this.element);
    }

    // nodes: of graph_node.js, in the order of graph.nodes.
    setGraph(graph, nodes) {
        this.#graph = graph;
        this.#nodes = nodes;
        this.#layout = null;
        this.#fit();
    }

    // The nodes' indices in the order of reading.
    get order() {
        return this.#layout === null ? [] : readingOrder(this.#layout.boxes);
    }

    #room() {
        return [this.element.clientWidth - 2 * MARGIN, Math.max(320, window.innerHeight * HIGHEST) - 2 * MARGIN];
    }

    #fit() {
        const [width, height] = this.#room();
        if (this.#graph === null || width <= 0) return;
        const best = bestLayout(this.#graph, width, height, READABLE);
        const isNew = this.#layout === null || best.direction !== this.#layout.direction;
        if (isNew) this.#draw(best);
        if (this.#fitted) this.#setScale(scaleOf(best, width, height, READABLE));
        if (isNew) this.#showEntry();
    }

    #showEntry() {
        const box = this.#layout.boxes[this.#graph.entry];
        this.element.scrollTo((box.x + box.width / 2) * this.#scale + MARGIN - this.element.clientWidth / 2,
            box.y * this.#scale - MARGIN);
    }

    #draw(layout) {
        this.#layout = layout;
        layout.boxes.forEach((box, i) => {
            const { style } = this.#nodes[i].element;
            style.left = `${box.x}px`;
            style.top = `${box.y}px`;
            style.width = `${box.width}px`;
            style.height = `${box.height}px`;
        });
        fill(this.boxes, readingOrder(layout.boxes).map((i) => this.#nodes[i].element));
        this.lines.setAttribute('viewBox', `0 0 ${layout.width} ${layout.height}`);
        this.lines.setAttribute('width', layout.width);
        this.lines.setAttribute('height', layout.height);
        const { edges } = this.#graph;
        this.arrows = layout.arrows.map(({ edge, back, path, head }) => {
            const classes = `arrow ${edges[edge].kind}${back ? ' back' : ''}`;
            return { ...edges[edge], element: s('g', { class: classes }, s('path', { d: path }), s('polygon', { points: head })) };
        });
        fill(this.lines, this.arrows.map(({ element }) => element));
        this.#nodes.forEach(({ element }, i) => {
            element.onpointerenter = element.onfocus = () => this.#mark(i);
            element.onpointerleave = () => this.#mark(-1);
        });
        this.#setScale(this.#scale);
    }

    // The arrows of a step, when one points at it.
    #mark(node) {
        for (const { from, to, element } of this.arrows) element.classList.toggle('marked', from === node || to === node);
    }

    // Where the middle of the window is, stays there.
    #setScale(scale, x = this.element.clientWidth / 2, y = this.element.clientHeight / 2) {
        const { element } = this;
        const before = this.#scale;
        this.#scale = Math.max(SMALLEST, Math.min(LARGEST, scale));
        const { width, height } = this.#layout;
        this.picture.style.width = `${width}px`;
        this.picture.style.height = `${height}px`;
        this.picture.style.transform = `scale(${this.#scale})`;
        this.sized.style.width = `${width * this.#scale}px`;
        this.sized.style.height = `${height * this.#scale}px`;
        const ratio = this.#scale / before;
        if (ratio !== 1) element.scrollTo((element.scrollLeft + x) * ratio - x, (element.scrollTop + y) * ratio - y);
    }

    zoom(factor) {
        this.#fitted = false;
        this.#setScale(this.#scale * factor);
    }

    // All of it, however small; or if all of it is there, as it was at first.
    overview() {
        const [width, height] = this.#room();
        const whole = scaleOf(this.#layout, width, height, SMALLEST);
        this.#fitted = this.#scale === whole;
        if (this.#fitted) this.#fit();
        else this.#setScale(whole);
    }

    #wheel(event) {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        const area = this.element.getBoundingClientRect();
        this.#fitted = false;
        this.#setScale(this.#scale * Math.exp(-event.deltaY / 300), event.clientX - area.left, event.clientY - area.top);
    }

    // Fingers scroll by themselves.
    #drag(event) {
        if (event.pointerType !== 'mouse' || event.button !== 0 || event.target.closest('a')) return;
        const { element } = this;
        const start = { x: event.clientX + element.scrollLeft, y: event.clientY + element.scrollTop };
        const move = ({ clientX, clientY }) => element.scrollTo(start.x - clientX, start.y - clientY);
        const end = () => {
            element.classList.remove('dragging');
            element.removeEventListener('pointermove', move);
        };
        element.classList.add('dragging');
        element.setPointerCapture(event.pointerId);
        element.addEventListener('pointermove', move);
        element.addEventListener('pointerup', end, { once: true });
        element.addEventListener('pointercancel', end, { once: true });
    }

    unmount() {
        this.observer.disconnect();
    }
}
