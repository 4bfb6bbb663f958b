// Makes elements. Text reaches the page through text nodes only; nothing here or elsewhere sets markup.

const SVG = 'http://www.w3.org/2000/svg';

// h('button', { class: 'primary', type: 'button', on: { click: f } }, 'Save'): an HTML element.
// Properties: `class`, `on` (listeners), `vars` (CSS variables, without the two dashes), and attributes:
// true is an attribute without a value; false, null and undefined leave it out.
// Children: elements, strings, numbers, arrays of these; null, undefined and false are left out.
export function h(tag, properties, ...children) {
    return build(document.createElement(tag), properties, children);
}

// The same for SVG.
export function s(tag, properties, ...children) {
    return build(document.createElementNS(SVG, tag), properties, children);
}

function build(element, properties, children) {
    for (const [name, value] of Object.entries(properties ?? {})) setProperty(element, name, value);
    append(element, children);
    return element;
}

function setProperty(element, name, value) {
    if (value === false || value === null || value === undefined) return;
    if (name === 'on') {
        for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === 'vars') {
        for (const [variable, text] of Object.entries(value)) element.style.setProperty('--' + variable, text);
    } else {
        element.setAttribute(name, value === true ? '' : String(value));
    }
}

export function append(element, children) {
    for (const child of children.flat(Infinity)) {
        if (child === null || child === undefined || child === false) continue;
        element.append(typeof child === 'object' ? child : String(child));
    }
}

// Replaces all children.
export function fill(element, ...children) {
    element.textContent = '';
    append(element, children);
    return element;
}

// Changes the text only if it differs: the browser does no work for what is the same.
export function setText(element, text) {
    const first = element.firstChild;
    if (first !== null && first.nodeType === 3 && first.nextSibling === null) {
        if (first.data !== text) first.data = text;
    } else {
        element.textContent = text;
    }
}

export function setAttribute(element, name, value) {
    if (value === null || value === undefined || value === false) {
        if (element.hasAttribute(name)) element.removeAttribute(name);
    } else if (element.getAttribute(name) !== String(value)) {
        element.setAttribute(name, value);
    }
}

export function setClass(element, text) {
    if (element.className !== text) element.className = text;
}
