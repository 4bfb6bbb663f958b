// Dark or light: as the system has it, until a person chooses. The choice is kept in this browser.

const KEY = 'barnum-theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

// A page from a file, or with storage switched off, has none.
function stored() {
    try {
        return localStorage.getItem(KEY);
    } catch {
        return null;
    }
}

export class Theme {
    #chosen = stored();

    constructor(changed) {
        this.changed = changed;
        dark.addEventListener('change', () => this.#apply());
        document.documentElement.dataset.theme = this.name;
    }

    get name() {
        return this.#chosen ?? (dark.matches ? 'dark' : 'light');
    }

    toggle() {
        const next = this.name === 'dark' ? 'light' : 'dark';
        this.#chosen = next === (dark.matches ? 'dark' : 'light') ? null : next;
        try {
            if (this.#chosen) localStorage.setItem(KEY, this.#chosen);
            else localStorage.removeItem(KEY);
        } catch {
            // the choice lasts as long as the page
        }
        this.#apply();
    }

    #apply() {
        document.documentElement.dataset.theme = this.name;
        this.changed();
    }
}
