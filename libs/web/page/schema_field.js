// What a JSON Schema asks a person for, as fields of a form. Only what a form can show as one is taken apart; anything else
// is a field for JSON text, and whether a value matches is decided by the server. Pure.
//
// A field: { kind, title, description, hints: [what the schema demands, in words] } and, by kind:
//   'object'   members: [{ name, required, schema }], open (other members are allowed)
//   'array'    items (schema)
//   'choice'   options: [JSON text]; one option: nothing to choose
//   'string'   long (may have several lines), and `wrong(text)`: what is wrong with its length, in words, or ''
//   'number'   integer, and `wrong(number)`: the same of its bounds
//   'boolean', 'json'

const COMPOSED = ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'dependentSchemas', 'dependencies', 'patternProperties', 'propertyNames',
    'prefixItems', '$dynamicRef', '$recursiveRef'];
const MOST_OPTIONS = 200;

// `root`: the whole schema, into which a $ref leads.
export function fieldOf(schema, root) {
    const known = resolved(schema, root);
    if (known === false) return field('json', {}, { hints: ['no value is allowed here'] });
    if (known === null || typeof known !== 'object') return field('json', {}, {});
    if ('const' in known) return field('choice', known, { options: [JSON.stringify(known.const)] });
    if (Array.isArray(known.enum) && known.enum.length > 0 && known.enum.length <= MOST_OPTIONS)
        return field('choice', known, { options: known.enum.map((value) => JSON.stringify(value)) });
    if (COMPOSED.some((word) => word in known)) return field('json', known, { hints: [composedHint(known)].filter(Boolean) });
    const make = MAKERS[typeof known.type === 'string' && Object.hasOwn(MAKERS, known.type) ? known.type : 'json'];
    return make(known);
}

function field(kind, schema, more) {
    const text = (value) => (typeof value === 'string' ? value : '');
    return { kind, title: text(schema.title), description: text(schema.description), hints: [], ...more };
}

const MAKERS = {
    json: (schema) => field('json', schema, { hints: typeHint(schema) }),
    object: (schema) => {
        if (schema.properties === null || typeof schema.properties !== 'object') return field('json', schema, { hints: ['an object'] });
        const required = new Set(Array.isArray(schema.required) ? schema.required : []);
        const members = Object.entries(schema.properties).map(([name, member]) =>
            ({ name, required: required.has(name), schema: member }));
        for (const name of required) if (!Object.hasOwn(schema.properties, name)) members.push({ name, required: true, schema: true });
        return field('object', schema, { members, open: schema.additionalProperties !== false });
    },
    array: (schema) => {
        if (Array.isArray(schema.items)) return field('json', schema, { hints: ['an array'] });
        return field('array', schema, { items: schema.items ?? true, least: schema.minItems ?? 0,
            hints: words([['at least', schema.minItems, 'elements'], ['at most', schema.maxItems, 'elements']],
                schema.uniqueItems === true && 'no two alike') });
    },
    string: (schema) => field('string', schema, { long: isLong(schema), wrong: wrongLength(schema),
        hints: words([['at least', schema.minLength, 'characters'], ['at most', schema.maxLength, 'characters']],
            schema.pattern && `matches ${schema.pattern}`, schema.format && `a ${schema.format}`) }),
    number: (schema) => field('number', schema, { integer: false, wrong: outOfBounds(schema), hints: numberHints(schema, 'a number') }),
    integer: (schema) => field('number', schema, { integer: true, wrong: outOfBounds(schema), hints: numberHints(schema, 'a whole number') }),
    boolean: (schema) => field('boolean', schema, {}),
    null: (schema) => field('choice', schema, { options: ['null'] }),
};

const isLong = ({ format, maxLength }) => format === undefined && !(maxLength <= 80);

// Characters as JSON Schema counts them: code points.
function wrongLength({ minLength, maxLength }) {
    return (text) => {
        const length = [...text].length;
        if (length < minLength) return `This is too short: ${words([['at least', minLength, 'characters']])[0]}, and it has ${length}.`;
        return length > maxLength ? `This is too long: ${words([['at most', maxLength, 'characters']])[0]}, and it has ${length}.` : '';
    };
}

function outOfBounds({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }) {
    return (number) => {
        if (number < minimum) return `This is less than ${minimum}.`;
        if (number <= exclusiveMinimum) return `This is not more than ${exclusiveMinimum}.`;
        if (number > maximum) return `This is more than ${maximum}.`;
        return number >= exclusiveMaximum ? `This is not less than ${exclusiveMaximum}.` : '';
    };
}

function numberHints(schema, kind) {
    return [kind, ...words([['at least', schema.minimum, ''], ['more than', schema.exclusiveMinimum, ''],
        ['at most', schema.maximum, ''],
        ['less than', schema.exclusiveMaximum, ''], ['a multiple of', schema.multipleOf, '']])];
}

function words(bounds, ...others) {
    const known = bounds.filter(([, value]) => typeof value === 'number');
    return [...known.map(([before, value, after]) => `${before} ${value} ${value === 1 ? after.replace(/s$/, '') : after}`.trim()),
        ...others.filter(Boolean)];
}

function typeHint({ type }) {
    return Array.isArray(type) ? [type.join(' or ')] : [];
}

function composedHint(schema) {
    if (!['oneOf', 'anyOf'].some((word) => word in schema)) return '';
    const titles = (schema.oneOf ?? schema.anyOf ?? []).map((one) => one?.title ?? one?.type);
    const kinds = titles.filter((one) => typeof one === 'string' && one !== '');
    return kinds.length > 1 ? [...new Set(kinds)].join(' or ') : '';
}

// What a $ref leads to; `true`, which allows anything, if it leads nowhere or around in a circle.
function resolved(schema, root) {
    for (let steps = 0; steps < 50; ++steps) {
        const next = only(schema);
        if (next === null) return schema;
        schema = typeof next === 'string' ? target(next, root) : next;
    }
    return true;
}

// The $ref of a schema that says nothing more than that, or its only allOf; else null. Titles beside a $ref are left out.
function only(schema) {
    if (schema === null || typeof schema !== 'object') return null;
    const known = Object.keys(schema).filter((word) => !['title', 'description', 'default', 'examples', '$comment'].includes(word));
    if (known.length !== 1) return null;
    if (known[0] === '$ref' && typeof schema.$ref === 'string') return schema.$ref;
    return known[0] === 'allOf' && Array.isArray(schema.allOf) && schema.allOf.length === 1 ? schema.allOf[0] : null;
}

function target(ref, root) {
    if (!ref.startsWith('#')) return true;
    let at = root;
    for (const part of ref.slice(1).split('/').slice(1)) {
        const name = decode(part).replace(/~1/g, '/').replace(/~0/g, '~');
        if (at === null || typeof at !== 'object' || !Object.hasOwn(at, name)) return true;
        at = at[name];
    }
    return ref === '#' || ref.startsWith('#/') ? at : true;
}

function decode(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}
