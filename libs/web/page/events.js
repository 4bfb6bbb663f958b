// One connection of server-sent events that is opened again until it is closed.

const FIRST_WAIT = 500;  // ms
const LONGEST_WAIT = 4000;
const HIDDEN_FOR = 2000;  // a page that nobody sees for so long gives its connection back: a browser has only six for a server

// `address` is called for each connection, so that it goes on at the position that was reached; `listeners` by event get the
// data. up() is called when a connection is there, down() when it is lost. Returns a function that ends it.
// The browser would reconnect by itself, but not after each kind of failure, and with the position of the last event only.
export function openEvents(address, listeners, handlers) {
    const events = new Events(address, listeners, handlers);
    return () => events.end();
}

class Events {
    #source = null;
    #timer = 0;
    #wait = FIRST_WAIT;
    #seen = () => this.#visibility();

    constructor(address, listeners, { up, down }) {
        Object.assign(this, { address, listeners, up, down });
        document.addEventListener('visibilitychange', this.#seen);
        if (!document.hidden) this.#open();  // a tab that was opened behind others waits until it is seen
    }

    end() {
        document.removeEventListener('visibilitychange', this.#seen);
        this.#close();
    }

    #close() {
        clearTimeout(this.#timer);
        this.#source?.close();
        this.#source = null;
    }

    #open() {
        this.#close();
        const source = this.#source = new EventSource(this.address());
        source.addEventListener('open', () => {
            this.#wait = FIRST_WAIT;
            this.up?.();
        });
        source.addEventListener('error', () => this.#lost());
        for (const [name, listener] of Object.entries(this.listeners)) source.addEventListener(name, (event) => listener(event.data));
    }

    #lost() {
        this.#close();
        this.down?.();
        this.#timer = setTimeout(() => this.#open(), this.#wait);
        this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    }

    #visibility() {
        if (document.hidden) {
            clearTimeout(this.#timer);
            this.#timer = setTimeout(() => this.#close(), HIDDEN_FOR);
        } else if (this.#source === null) {
            this.#open();
        } else {
            clearTimeout(this.#timer);
        }
    }
}
