// The tests' scripts: a few statements of SQL become collections, so that one suite fits every driver;
// lines of JSON do what SQL has no words for.
//   {"insert": "users", "documents": [{"_id": {"$oid": "…"}, …}]}
//   {"create": "users", "options": {…}}   {"index": "users", "key": {…}, "unique": true}
//   {"rename": "users", "to": "people"}   {"modify": "users", "options": {…}}

const kinds = [
  [/^(small|big)?int|^integer/i, 'long'], [/^(varchar|text|char)/i, 'string'], [/^(double|real|float)/i, 'double'],
  [/^(decimal|numeric)/i, 'decimal'], [/^bool/i, 'bool'], [/^timestamp/i, 'date'], [/^date/i, 'string'],
];

function statements(text) {
  const out = [];
  let now = '', quote = '', depth = 0;
  for (const c of text) {
    if (quote) quote = c === quote ? '' : quote;
    else if (c === "'" || c === '"') quote = c;
    else if (c === '{' || c === '[') depth++;
    else if (c === '}' || c === ']') depth--;
    if (c === ';' && !quote && depth === 0) {
      out.push(now.trim());
      now = '';
    } else now += c;
  }
  return [...out, now.trim()].filter(Boolean);
}

// Splits at commas that stand outside of quotes and parentheses.
function parts(text) {
  const out = [''];
  let quote = '', depth = 0;
  for (const c of text) {
    if (quote) quote = c === quote ? '' : quote;
    else if (c === "'" || c === '"') quote = c;
    else if (c === '(') depth++;
    else if (c === ')') depth--;
    if (c === ',' && !quote && depth === 0) out.push('');
    else out[out.length - 1] += c;
  }
  return out.map((part) => part.trim());
}

const NAME = /^("(?:[^"]|"")*"|[^\s("]+)/;
const unquote = (name) => (name[0] === '"' ? name.slice(1, -1).replaceAll('""', '"') : name);

function nameOf(text) {
  const [whole] = NAME.exec(text);
  return [unquote(whole), text.slice(whole.length).trim()];
}

function literal(bson, text, kind) {
  if (/^null$/i.test(text)) return null;
  if (/^(true|false)$/i.test(text)) return /^true$/i.test(text);
  if (kind === 'date') return new Date(text.slice(1, -1).replace(' ', 'T') + (text.includes(':') ? 'Z' : 'T00:00:00Z'));
  if (text[0] === "'") return text.slice(1, -1).replaceAll("''", "'");
  if (kind === 'decimal') return bson.Decimal128.fromString(text);
  return kind !== 'double' && /^-?\d+$/.test(text) ? bson.Long.fromString(text) : new bson.Double(Number(text));
}

const inside = (text) => text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));

function createTable(bson, base, make, text) {
  const [name, rest] = nameOf(text);
  const columns = parts(inside(rest)).filter((part) => !/^(primary|foreign|unique)\b/i.test(part)).map((part) => {
    const [column, type] = nameOf(part);
    return { column, kind: (kinds.find(([pattern]) => pattern.test(type)) ?? [null, 'string'])[1] };
  });
  const properties = Object.fromEntries(columns.map(({ column, kind }) => [column, { bsonType: kind }]));
  make(base, name, { validator: { $jsonSchema: { bsonType: 'object', properties } } }).columns = columns;
}

function insert(bson, base, text) {
  const [name, rest] = nameOf(text);
  const at = rest.search(/\bvalues\b/i);
  const collection = base.get(name);
  const named = rest.slice(0, at).trim();
  const columns = named ? parts(inside(named)).map((part) => collection.columns.find((c) => c.column === unquote(part))) : collection.columns;
  for (const row of parts(rest.slice(at + 6).trim())) {
    const document = { _id: new bson.ObjectId() };
    parts(inside(row)).forEach((value, i) => (document[columns[i].column] = literal(bson, value, columns[i].kind)));
    collection.documents.push(document);
  }
}

function createView(bson, base, make, text) {
  const [, name, list, from, column, value] = /^(\S+) as select (.+?) from (\S+)(?: where (\S+) > (\S+))?$/i.exec(text);
  const pipeline = column ? [{ $match: { [column]: { $gt: literal(bson, value) } } }] : [];
  pipeline.push({ $project: Object.fromEntries(parts(list).map((item) => [item, 1])) });
  make(base, name, { viewOn: from, pipeline });
}

function json(bson, base, make, order) {
  const name = order.insert ?? order.create ?? order.index ?? order.rename ?? order.modify;
  const collection = make(base, name, order.options);
  if (order.insert) collection.documents.push(...order.documents.map((d) => ('_id' in d ? d : { _id: new bson.ObjectId(), ...d })));
  if (order.index) collection.indexes.push({ v: 2, key: order.key, name: Object.entries(order.key).flat().join('_'), unique: order.unique });
  if (order.modify) collection.options = order.options;
  if (order.rename) {
    base.delete(name);
    base.set(order.to, { ...collection, name: order.to });
  }
}

export function readScript(bson, base, make, text) {
  for (const statement of statements(text)) {
    const cut = (words) => statement.slice(words.length).trim();
    if (statement[0] === '{') json(bson, base, make, bson.EJSON.parse(statement, { relaxed: false }));
    else if (/^create table /i.test(statement)) createTable(bson, base, make, cut('create table '));
    else if (/^create view /i.test(statement)) createView(bson, base, make, cut('create view '));
    else if (/^create index /i.test(statement)) {
      const [, name, on, list] = /^create index (\S+) on (\S+) \((.*)\)$/i.exec(statement);
      base.get(on).indexes.push({ v: 2, key: Object.fromEntries(parts(list).map((column) => [column, 1])), name });
    } else if (/^insert into /i.test(statement)) insert(bson, base, cut('insert into '));
    else if (/^drop (table|view) /i.test(statement)) base.delete(unquote(statement.split(' ').at(-1)));
    else if (/^delete from /i.test(statement)) base.get(cut('delete from ')).documents = [];
    else if (/^update (\S+) set (\S+) = (\S+)$/i.test(statement)) {
      const [, name, column, value] = /^update (\S+) set (\S+) = (\S+)$/i.exec(statement);
      const kind = base.get(name).columns.find((c) => c.column === column).kind;
      for (const document of base.get(name).documents) document[column] = literal(bson, value, kind);
    } else if (!/^analyze$/i.test(statement)) throw new Error('the script cannot: ' + statement);
  }
}
