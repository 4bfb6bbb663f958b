// A table of any number of rows of one height, of which only those in sight have elements. They are used again for other
// rows while one scrolls.

import { fill, h, setAttribute, setClass } from './dom.js';
import { icon } from './icons.js';
import { areaHeight, placeAt, rowsInSight, shiftAfter, topToShow } from './row_window.js';

const ROW = 28;    // px, as --row of style.css
const HEADER = 30;
const EXTRA = 12;  // rows drawn beyond the edges, for what is scrolled before the next frame
let number = 0;

export class Table {
    #rows = 0;
    #drawn = new Map();    // index -> element
    #free = [];
    #place = { scroll: 0, shift: 0 };
    #size = { width: 0, height: 0 };
    #visible = [];         // columns
    #frame = 0;

    // columns: [{ title, width (of a grid's track), sort (key, if it sorts), number: true (aligned at the right), from (the least
    // width of the table at which it is shown, px), show(cell, index) }]; label: for screen readers; open(index): on a click or
    // Enter; sorted(key): a click on a header.
    constructor({ columns, label, open, sorted }) {
        Object.assign(this, { columns, open, sorted, selected: -1, id: `table-${++number}` });
        this.header = h('div', { class: 'table-head', role: 'row', 'aria-rowindex': 1 });
        this.area = h('div', { class: 'table-area' });
        this.element = h('div', { class: 'table scroll', role: 'grid', 'aria-label': label, tabindex: 0 }, this.header, this.area);
        this.element.addEventListener('scroll', () => this.#request(), { passive: true });
        this.area.addEventListener('click', (event) => this.#clicked(event));
        this.observer = new ResizeObserver(() => this.#resized());
        this.observer.observe(this.element);
    }

    unmount() {
        this.observer.disconnect();
        cancelAnimationFrame(this.#frame);
    }

    // There are so many rows now, and any may show something else.
    setRows(rows) {
        this.#rows = rows;
        this.area.style.height = `${areaHeight(rows, ROW)}px`;
        setAttribute(this.element, 'aria-rowcount', rows + 1);
        setAttribute(this.area, 'role', rows ? 'rowgroup' : null);
        if (this.selected >= rows) this.select(rows - 1);
        if (this.#size.height) this.#draw(true);
    }

    setSort(key, descending) {
        this.sort = { key, descending };
        this.#makeHeader();
    }

    get top() {
        return this.#place.scroll + this.#place.shift;
    }

    select(index, reveal = false) {
        const before = this.selected;
        this.selected = index;
        for (const at of [before, index]) if (this.#drawn.has(at)) this.#mark(this.#drawn.get(at), at);
        if (reveal && index >= 0) this.#reveal(index);
        if (!this.#drawn.has(index)) setAttribute(this.element, 'aria-activedescendant', null);
    }

    move(by) {
        if (this.#rows) this.select(Math.max(0, Math.min(this.#rows - 1, this.selected + by)), true);
    }

    // For the view's keys.
    keys() {
        const page = () => Math.max(1, Math.floor(this.#view() / ROW) - 1);
        return {
            j: ['next row', () => this.move(1)],
            k: ['row before', () => this.move(this.selected < 0 ? 1 : -1)],
            Enter: ['opens the row', () => this.selected >= 0 && this.open(this.selected)],
            Home: ['first row', () => this.move(-this.#rows)],
            End: ['last row', () => this.move(this.#rows)],
            PageDown: ['a page down', () => this.move(page())],
            PageUp: ['a page up', () => this.move(-page())],
            ArrowDown: [null, () => this.move(1)],
            ArrowUp: [null, () => this.move(-1)],
        };
    }

    #view() {
        return Math.max(ROW, this.#size.height - HEADER);
    }

    #reveal(index) {
        const top = topToShow(index, this.top, ROW, this.#view());
        if (top === this.top) return;
        this.#place = placeAt(top, this.#rows, ROW, this.#view());
        this.element.scrollTop = this.#place.scroll;
        this.#draw(true);
    }

    #request() {
        this.#frame ||= requestAnimationFrame(() => {
            this.#frame = 0;
            this.#draw(false);
        });
    }

    #resized() {
        const { clientWidth: width, clientHeight: height } = this.element;
        const visible = this.columns.filter((column) => (column.from ?? 0) <= width);
        const same = visible.length === this.#visible.length;
        this.#size = { width, height };
        this.#visible = visible;
        if (!same) this.#remake();
        this.#draw(false);
    }

    #remake() {
        this.element.style.setProperty('--columns', this.#visible.map((column) => column.width).join(' '));
        this.#makeHeader();
        fill(this.area);
        this.#drawn.clear();
        this.#free = [];
    }

    #makeHeader() {
        fill(this.header, this.#visible.map((column) => this.#headerCell(column)));
    }

    #headerCell(column) {
        const active = column.sort !== undefined && this.sort?.key === column.sort;
        const order = this.sort?.descending ? 'descending' : 'ascending';
        return h('div', { class: column.number ? 'cell number' : 'cell', role: 'columnheader', 'aria-sort': active ? order : null },
            column.sort === undefined ? column.title : h('button', { type: 'button', class: 'sort', on: { click: () => this.sorted(column.sort) } },
                h('span', {}, column.title), active && icon(this.sort.descending ? 'down' : 'up')));
    }

    #draw(all) {
        const { scrollTop } = this.element;
        const shift = scrollTop === this.#place.scroll ? this.#place.shift
            : shiftAfter(this.#place, scrollTop, this.#rows, ROW, this.#view());
        const moved = shift !== this.#place.shift;
        this.#place = { scroll: scrollTop, shift };
        const [first, end] = rowsInSight(this.top, this.#rows, ROW, this.#view(), EXTRA);
        this.#release(first, end);
        for (let index = first; index < end; ++index) {
            const drawn = this.#drawn.get(index);
            if (drawn === undefined || all) this.#show(drawn ?? this.#take(index), index);
            else if (moved) this.#put(drawn, index);
        }
        for (const element of this.#free) setAttribute(element, 'hidden', true);
    }

    #release(first, end) {
        for (const [index, element] of this.#drawn) {
            if (index >= first && index < end) continue;
            this.#drawn.delete(index);
            this.#free.push(element);
        }
    }

    #take(index) {
        const element = this.#free.pop() ?? this.#makeRow();
        this.#drawn.set(index, element);
        return element;
    }

    #makeRow() {
        const cells = this.#visible.map((column) => h('div', { class: column.number ? 'cell number' : 'cell', role: 'gridcell' }));
        const element = h('div', { class: 'row', role: 'row', id: `${this.id}-${this.area.childElementCount}` }, cells);
        this.area.append(element);
        return element;
    }

    #show(element, index) {
        setAttribute(element, 'hidden', null);
        element.index = index;
        setAttribute(element, 'aria-rowindex', index + 2);
        this.#put(element, index);
        this.#mark(element, index);
        const cells = element.children;
        for (let i = 0; i < cells.length; ++i) this.#visible[i].show(cells[i], index);
    }

    #put(element, index) {
        element.style.top = `${index * ROW - this.#place.shift}px`;
    }

    #mark(element, index) {
        setClass(element, index === this.selected ? 'row selected' : 'row');
        setAttribute(element, 'aria-selected', index === this.selected ? 'true' : null);
        if (index === this.selected) setAttribute(this.element, 'aria-activedescendant', element.id);
    }

    #clicked(event) {
        const row = event.target.closest('.row');
        if (row === null || event.target.closest('a, button') || String(getSelection())) return;
        this.select(row.index);
        this.open(row.index);
    }
}
