// A peer that speaks MongoDB's wire protocol, for dragoman's tests only. It is NOT a MongoDB: it keeps
// documents in memory, knows the few commands that the driver sends, and what mingo makes of filters.
// It shows what goes over the wire (logging in, reading on, ending queries), not how a server works.
//   node peer.mjs FOLDER PACKAGES PORT CONTROL PARENT
import crypto from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';
import { createRequire } from 'node:module';
import { readScript } from './script.mjs';

const [folder, packages, port, control, parent] = process.argv.slice(2);
const require = createRequire(packages + '/package.json');
const bson = require('bson');
const mingo = require('mingo');

const USER = 'reader';
const PASSWORD = 'p@ss/w:rd';
const databases = new Map(); // name -> Map of collections
const log = []; // { database, name, command }
let lines = new Set(); // connections of clients
let nextNumber = 1;

class Failure extends Error {
  constructor(code, codeName, message) {
    super(message);
    this.code = code;
    this.codeName = codeName;
  }
}

// ---------------------------------------------------------------- data

const database = (name) => databases.get(name);

function collectionMake(base, name, options = {}) {
  if (!base.has(name)) {
    base.set(name, { name, options, documents: [], indexes: [{ v: 2, key: { _id: 1 }, name: '_id_' }] });
  }
  return base.get(name);
}

// mingo compares plain values: what is BSON's own becomes a number or a text.
function plain(value) {
  if (value instanceof bson.Long) return Number(value.toString());
  if (value instanceof bson.Int32 || value instanceof bson.Double) return value.valueOf();
  if (value instanceof bson.Decimal128) return Number(value.toString());
  if (value instanceof bson.ObjectId) return 'oid ' + value.toHexString();
  if (value instanceof Date || value === null || typeof value !== 'object') return value;
  if (value._bsontype) return String(value);
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

function matches(filter) {
  if (!filter || Object.keys(filter).length === 0) return () => true;
  const query = new mingo.Query(plain(filter));
  return (document) => query.test(plain(document));
}

function projectPath(document, parts) {
  if (Array.isArray(document)) return document.map((item) => projectPath(item, parts)).filter((item) => item !== undefined);
  if (document === null || typeof document !== 'object' || document._bsontype || document instanceof Date) return undefined;
  if (!(parts[0] in document)) return {};
  if (parts.length === 1) return { [parts[0]]: document[parts[0]] };
  const inside = projectPath(document[parts[0]], parts.slice(1));
  return inside === undefined ? {} : { [parts[0]]: inside };
}

function merge(a, b) {
  if (Array.isArray(a) && Array.isArray(b)) return a.map((item, i) => merge(item, b[i]));
  const simple = (v) => v === null || typeof v !== 'object' || v._bsontype || v instanceof Date;
  if (simple(a) || simple(b)) return b === undefined ? a : b;
  const out = { ...a };
  for (const [key, value] of Object.entries(b)) out[key] = key in out ? merge(out[key], value) : value;
  return out;
}

function project(document, projection) {
  const paths = Object.entries(projection ?? {});
  const wanted = paths.filter(([, on]) => on);
  if (wanted.length === 0) {
    const out = { ...document };
    for (const [path] of paths) delete out[path];
    return out;
  }
  let out = '_id' in projection && !projection._id ? {} : { _id: document._id };
  for (const [path] of wanted) out = merge(out, projectPath(document, path.split('.')) ?? {});
  return out;
}

function documentsOf(base, name) {
  const collection = base?.get(name);
  if (!collection) return [];
  if (!collection.options.viewOn) return collection.documents;
  const source = documentsOf(base, collection.options.viewOn);
  return source
    .filter((document) => collection.options.pipeline.every((stage) => !stage.$match || matches(stage.$match)(document)))
    .map((document) => collection.options.pipeline.reduce((d, stage) => (stage.$project ? project(d, stage.$project) : d), document));
}

function sorted(documents, sort) {
  const [[path, direction] = []] = Object.entries(sort ?? {});
  if (!path) return documents;
  const key = (document) => plain(document[path]);
  return [...documents].sort((a, b) => direction * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}

// ---------------------------------------------------------------- logging in (SCRAM-SHA-256)

const hmac = (key, text) => crypto.createHmac('sha256', key).update(text).digest();
const sha = (data) => crypto.createHash('sha256').update(data).digest();
const xor = (a, b) => Buffer.from(a.map((byte, i) => byte ^ b[i]));
const salt = crypto.randomBytes(28);
const iterations = 4096;
const salted = crypto.pbkdf2Sync(PASSWORD, salt, iterations, 32, 'sha256');

function saslStart(line, base, command) {
  if (command.mechanism !== 'SCRAM-SHA-256') throw new Failure(2, 'BadValue', 'only SCRAM-SHA-256');
  const first = Buffer.from(command.payload.value()).toString('utf8');
  const bare = first.slice(3);
  const fields = Object.fromEntries(bare.split(',').map((part) => [part[0], part.slice(2)]));
  const nonce = fields.r + crypto.randomBytes(12).toString('base64');
  const reply = `r=${nonce},s=${salt.toString('base64')},i=${iterations}`;
  line.login = { bare, reply, nonce, user: fields.n };
  return { conversationId: 1, done: false, payload: new bson.Binary(Buffer.from(reply)), ok: 1 };
}

function saslContinue(line, base, command) {
  const text = Buffer.from(command.payload.value()).toString('utf8');
  if (text === '') return { conversationId: 1, done: true, payload: new bson.Binary(Buffer.alloc(0)), ok: 1 };
  const { bare, reply, user } = line.login;
  const fields = Object.fromEntries(text.split(',').map((part) => [part[0], part.slice(2)]));
  const message = `${bare},${reply},${text.slice(0, text.indexOf(',p='))}`;
  const clientKey = hmac(salted, 'Client Key');
  const proof = xor(clientKey, hmac(sha(clientKey), message)).toString('base64');
  if (user !== USER || proof !== fields.p) throw new Failure(18, 'AuthenticationFailed', 'Authentication failed.');
  line.user = user;
  const verifier = hmac(hmac(salted, 'Server Key'), message).toString('base64');
  return { conversationId: 1, done: true, payload: new bson.Binary(Buffer.from('v=' + verifier)), ok: 1 };
}

// ---------------------------------------------------------------- reading

const cursors = new Map(); // id -> { database, collection, next(count), line, comment }
const operations = new Map(); // opid -> { database, comment, end(failure), line }

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Works until it is ended from outside: killOp, maxTimeMS, or the connection goes.
function endless(line, base, command) {
  const id = nextNumber++;
  return new Promise((resolve, reject) => {
    const timer = command.maxTimeMS && setTimeout(() => end(new Failure(50, 'MaxTimeMSExpired', 'operation exceeded time limit')), Number(command.maxTimeMS));
    function end(failure) {
      clearTimeout(timer);
      operations.delete(id);
      reject(failure);
    }
    operations.set(id, { database: base, comment: command.comment, end, line });
  });
}

function* endlessDocuments() {
  for (let i = 0; ; i++) yield { _id: i, a: i, text: 'x'.repeat(100) };
}

function batch(cursor, count) {
  const out = [];
  while (out.length < count) {
    const { value, done } = cursor.rows.next();
    if (done) {
      cursor.done = true;
      break;
    }
    out.push(value);
  }
  return out;
}

async function find(line, base, command) {
  const name = command.find;
  const limit = Number(command.limit ?? 0);
  let rows;
  if (name === 'endless' && !limit) await endless(line, base, command);
  if (name === 'endless') rows = [{ _id: 1, a: 1 }];
  else if (name === 'many') rows = endlessDocuments();
  else rows = sorted(documentsOf(database(base), name), command.sort).filter(matches(command.filter)).map((d) => project(d, command.projection));
  function* some() {
    let left = limit || Infinity;
    for (const row of rows) {
      if (left-- <= 0) return;
      yield row;
    }
  }
  const cursor = { database: base, collection: name, rows: some(), line, comment: command.comment };
  const firstBatch = batch(cursor, Number(command.batchSize ?? 101));
  let id = 0;
  if (!cursor.done && !(limit && firstBatch.length >= limit)) {
    id = nextNumber++;
    cursors.set(id, cursor);
  }
  return { cursor: { id: bson.Long.fromNumber(id), ns: `${base}.${name}`, firstBatch }, ok: 1 };
}

async function getMore(line, base, command) {
  const id = Number(command.getMore);
  const cursor = cursors.get(id);
  if (cursor?.collection === 'many') await sleep(5);
  if (!cursor || !cursors.has(id)) throw new Failure(43, 'CursorNotFound', `cursor id ${id} not found`);
  const nextBatch = batch(cursor, Number(command.batchSize ?? 101));
  if (cursor.done) cursors.delete(id);
  return { cursor: { id: bson.Long.fromNumber(cursor.done ? 0 : id), ns: `${base}.${cursor.collection}`, nextBatch }, ok: 1 };
}

function killCursors(line, base, command) {
  const ids = command.cursors.map(Number);
  const killed = ids.filter((id) => cursors.delete(id));
  return { cursorsKilled: killed.map(bson.Long.fromNumber), cursorsNotFound: [], cursorsAlive: [], cursorsUnknown: [], ok: 1 };
}

function listCollections(line, base, command) {
  const all = [...(database(base)?.values() ?? [])].map(({ name, options }) => ({
    name,
    type: options.viewOn ? 'view' : 'collection',
    options: command.nameOnly ? undefined : options,
    info: { readOnly: !!options.viewOn },
  }));
  for (const name of ['endless', 'many']) { // without end: beside a test's usual collection
    if (database(base)?.has('item')) all.push({ name, type: 'collection', options: {}, info: { readOnly: false } });
  }
  const firstBatch = all.filter(matches(command.filter));
  return { cursor: { id: bson.Long.ZERO, ns: `${base}.$cmd.listCollections`, firstBatch }, ok: 1 };
}

function listIndexes(line, base, command) {
  const collection = database(base)?.get(command.listIndexes);
  if (!collection) throw new Failure(26, 'NamespaceNotFound', 'ns does not exist');
  return { cursor: { id: bson.Long.ZERO, ns: `${base}.${collection.name}`, firstBatch: collection.indexes }, ok: 1 };
}

function currentOp(line, base, command) {
  const inprog = [...operations].filter(([, op]) => op.comment === command['command.comment']).map(([opid]) => ({ opid, active: true }));
  return { inprog, ok: 1 };
}

function killOp(line, base, command) {
  operations.get(Number(command.op))?.end(new Failure(11601, 'Interrupted', 'operation was interrupted'));
  return { info: 'attempting to kill op', ok: 1 };
}

const hello = (line, base, command) => ({
  ismaster: true, isWritablePrimary: true, helloOk: true, maxBsonObjectSize: 16777216, maxMessageSizeBytes: 48000000,
  maxWriteBatchSize: 100000, localTime: new Date(), connectionId: line.number, minWireVersion: 0, maxWireVersion: 17,
  readOnly: false, ...(command.saslSupportedMechs ? { saslSupportedMechs: ['SCRAM-SHA-256'] } : {}), ok: 1,
});

const open = { hello, ismaster: hello, isMaster: hello, saslStart, saslContinue, ping: () => ({ ok: 1 }), endSessions: () => ({ ok: 1 }) };
let roles = [{ role: 'read', db: 'admin' }];

const reading = {
  buildInfo: () => ({ version: '6.0.0', ok: 1 }),
  connectionStatus: (line) => ({ authInfo: { authenticatedUsers: [{ user: line.user, db: 'admin' }], authenticatedUserRoles: roles }, ok: 1 }),
  find, getMore, killCursors, listCollections, listIndexes, currentOp, killOp,
  count: (line, base, command) => ({ n: documentsOf(database(base), command.count).length, ok: 1 }),
  listDatabases: (line, base, command) => ({ databases: [...databases.keys()].map((name) => ({ name })).filter(matches(command.filter)), ok: 1 }),
};

async function answer(line, base, command) {
  const name = Object.keys(command)[0];
  log.push({ database: base, name, command });
  if (log.length > 20000) log.splice(0, 10000);
  try {
    if (open[name]) return open[name](line, base, command);
    if (!line.user) throw new Failure(13, 'Unauthorized', `command ${name} requires authentication`);
    if (!reading[name]) throw new Failure(13, 'Unauthorized', `not authorized on ${base} to execute command ${name}`);
    return await reading[name](line, base, command);
  } catch (error) {
    if (!(error instanceof Failure)) console.error(error);
    return { ok: 0, errmsg: error.message, code: error.code ?? 1, codeName: error.codeName ?? 'InternalError' };
  }
}

// ---------------------------------------------------------------- the wire

const OP_REPLY = 1, OP_QUERY = 2004, OP_MSG = 2013;

function messageRead(data) {
  const id = data.readInt32LE(4);
  const code = data.readInt32LE(12);
  if (code === OP_QUERY) {
    const end = data.indexOf(0, 20);
    const base = data.toString('utf8', 20, end).replace(/\.\$cmd$/, '');
    return { id, code, base, command: bson.deserialize(data.subarray(end + 9)) };
  }
  let at = 20;
  let command = {};
  while (at < data.length) {
    const kind = data[at++];
    const size = data.readInt32LE(at);
    if (kind === 0) command = { ...bson.deserialize(data.subarray(at, at + size)), ...command };
    at += size;
  }
  return { id, code, base: command.$db, command };
}

function messageWrite(to, reply) {
  const body = Buffer.from(bson.serialize(reply, { ignoreUndefined: true }));
  const head = Buffer.alloc(to.code === OP_QUERY ? 36 : 21);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(nextNumber++, 4);
  head.writeInt32LE(to.id, 8);
  head.writeInt32LE(to.code === OP_QUERY ? OP_REPLY : OP_MSG, 12);
  if (to.code === OP_QUERY) {
    head.writeInt32LE(8, 16);
    head.writeInt32LE(1, 32);
  }
  return Buffer.concat([head, body]);
}

function lineServe(socket) {
  const line = { socket, number: nextNumber++, waiting: Buffer.alloc(0), frozen: false, bases: new Set(), busy: Promise.resolve() };
  lines.add(line);
  line.handle = () => {
    while (!line.frozen && line.waiting.length >= 16 && line.waiting.length >= line.waiting.readInt32LE(0)) {
      const size = line.waiting.readInt32LE(0);
      const message = messageRead(line.waiting.subarray(0, size));
      line.waiting = line.waiting.subarray(size);
      if (message.base) line.bases.add(message.base);
      line.busy = line.busy.then(async () => {
        const reply = await answer(line, message.base, message.command);
        if (!socket.destroyed && !line.frozen) socket.write(messageWrite(message, reply));
      });
    }
  };
  socket.on('data', (data) => {
    line.waiting = Buffer.concat([line.waiting, data]);
    line.handle();
  });
  socket.on('error', () => {});
  // A client that goes ends nothing: only killOp, killCursors and maxTimeMS do, so that they are seen to.
  socket.on('close', () => lines.delete(line));
}

// A first byte of 22 begins TLS; everything else is the protocol itself.
const certificate = () => ({ key: fs.readFileSync(folder + '/server.key'), cert: fs.readFileSync(folder + '/server.crt') });
const secureContext = fs.existsSync(folder + '/server.crt') ? tls.createSecureContext(certificate()) : undefined;
const server = net.createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.once('readable', () => {
    const first = socket.read(1);
    if (!first) return;
    socket.unshift(first);
    if (first[0] !== 22) lineServe(socket);
    else if (secureContext) lineServe(new tls.TLSSocket(socket, { isServer: true, secureContext }));
    else socket.destroy();
  });
});

// ---------------------------------------------------------------- the tests' own door

function lineEnd(line) {
  line.socket.destroy();
  for (const op of [...operations.values()]) if (op.line === line) op.end(new Failure(279, 'ClientDisconnect', 'gone'));
  for (const [id, cursor] of cursors) if (cursor.line === line) cursors.delete(id);
}

const doors = {
  script(base, text) {
    if (!databases.has(base)) databases.set(base, new Map());
    readScript(bson, database(base), collectionMake, text);
    return 0;
  },
  drop: (base) => (databases.delete(base), 0),
  running: (base) => [...operations.values(), ...cursors.values()].filter((item) => item.database === base).length,
  terminate(base) {
    for (const line of lines) if (line.bases.has(base)) lineEnd(line);
    return 0;
  },
  freeze(base) {
    for (const line of lines) if (line.bases.has(base)) line.frozen = true;
    return 0;
  },
  thaw() {
    for (const line of lines) {
      line.frozen = false;
      line.handle();
    }
    return 0;
  },
  down() {
    server.close();
    for (const line of lines) lineEnd(line);
    return 0;
  },
  up: () => new Promise((resolve) => server.listen(Number(port), '127.0.0.1', () => resolve(0))),
  // How many commands of that name it has got, and the last of them as JSON.
  count: (base, name) => log.filter((item) => item.name === name && (item.database === base || item.database === 'admin')).length,
  last(base, name) {
    const found = log.filter((item) => item.name === name && item.database === base).at(-1);
    return found ? bson.EJSON.stringify(found.command) : '';
  },
  // Is that text anywhere in what was sent?
  sent: (base, text) => log.filter((item) => JSON.stringify(item.command).includes(text)).length,
  roles: (base, text) => ((roles = JSON.parse(text)), 0),
  stop: () => process.exit(0),
};

const door = net.createServer({ allowHalfOpen: true }, (socket) => {
  let text = '';
  socket.setEncoding('utf8');
  socket.on('error', () => {});
  socket.on('data', (data) => (text += data));
  socket.on('end', async () => {
    const [, what, base, rest] = /^(\S+) (\S*)\n([\s\S]*)$/.exec(text);
    try {
      socket.end(String(await doors[what](base, rest)));
    } catch (error) {
      socket.end('! ' + error.stack);
    }
  });
});

server.on('error', () => process.exit(3));
door.on('error', () => process.exit(3));
server.listen(Number(port), '127.0.0.1', () => door.listen(Number(control), '127.0.0.1', () => fs.writeFileSync(folder + '/ready', '')));
setInterval(() => {
  try {
    process.kill(Number(parent), 0);
  } catch {
    fs.rmSync(folder, { recursive: true, force: true }); // nobody else will
    process.exit(0);
  }
}, 1000);
