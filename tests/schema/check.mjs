// Are the examples of docs/schema.md what dragoman prints? Makes the databases that the document shows and
// compares. What changes each time (signature, hash, time) is only looked at for its form.
//   node check.mjs DRAGOMAN ROOT
// With DRAGOMAN_WRITE_DOCS=1 what is printed is put into the document instead.
import { execFileSync, spawnSync } from 'node:child_process';
import assert from 'node:assert';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

const [dragoman, root] = process.argv.slice(2);
const write = process.env.DRAGOMAN_WRITE_DOCS === '1';
const page = path.join(root, 'docs/schema.md');
let text = fs.readFileSync(page, 'utf8');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'dragoman-schema-'));
const environment = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder };

const block = (kind) => new RegExp('```' + kind + '\n([\\s\\S]*?)```').exec(text)[1];
const same = (a, b, message) => assert.deepStrictEqual(a, b, message);

function printed(database) {
  const schema = JSON.parse(execFileSync(dragoman, ['schema', '--db', database, '--json'], { env: environment }));
  assert.match(schema.signature, /^[0-9a-f]{32}$/);
  assert.match(schema.hash, /^[0-9a-f]{32}$/);
  assert.ok(Math.abs(schema.read_at - Date.now() / 1000) < 3600);
  return { ...schema, signature: '…', hash: '…', read_at: 0 };
}

// An object per line where that fits, so that people can read it.
function pretty(value, indent = '') {
  const flat = JSON.stringify(value);
  const spaced = flat.replace(/("(?:[^"\\]|\\.)*")|([:,])/g, (_, string, mark) => string ?? mark + ' ');
  if (indent.length + spaced.length <= 150 || value === null || typeof value !== 'object') return spaced;
  const inside = indent + '  ';
  if (Array.isArray(value)) return '[\n' + value.map((item) => inside + pretty(item, inside)).join(',\n') + '\n' + indent + ']';
  const items = Object.entries(value).map(([key, item]) => inside + JSON.stringify(key) + ': ' + pretty(item, inside));
  return '{\n' + items.join(',\n') + '\n' + indent + '}';
}

// Every field that is printed has its word in the document.
function described(value) {
  for (const [key, item] of Object.entries(value ?? {})) {
    if (!Array.isArray(value)) assert.ok(text.includes('`' + key + '`'), `docs/schema.md does not describe '${key}'`);
    if (typeof item === 'object') described(item);
  }
}

function compare(kind, schema) {
  described(schema);
  if (write) text = text.replace(new RegExp('```json ' + kind + '\n[\\s\\S]*?```'), () => '```json ' + kind + '\n' + pretty(schema) + '\n```');
  else same(schema, JSON.parse(block('json ' + kind)), `docs/schema.md, the example '${kind}', is not what is printed`);
}

function sql() {
  const database = path.join(folder, 'shop.db');
  const made = spawnSync('sqlite3', [database], { input: block('sql') });
  assert.strictEqual(made.status, 0, 'sqlite3: ' + made.stderr);
  compare('sql', printed(database));
}

function tell(port, order) {
  return new Promise((resolve, reject) => {
    let answer = '';
    const line = net.connect(port, '127.0.0.1', () => line.end(order));
    line.on('data', (data) => (answer += data)).on('end', () => resolve(answer)).on('error', reject);
  });
}

// The way from a question to documents and back, without a model; the answer says which engine ran it.
function asked(database) {
  const order = ['ask', '--db', database, '--set', 'agent.brain=parser', '--json', 'How many orders are there?'];
  const answer = JSON.parse(execFileSync(dragoman, order, { env: environment }));
  same(answer.rows, [[2]]);
  same(answer.engine.name, 'duckdb');
  assert.match(answer.engine.reason, /runs no SQL of its own/);
}

async function documents() {
  const peer = path.join(root, 'tests/conformance/datasource/mongodb-peer/server');
  let port = 20000 + (process.pid % 4000) * 2;
  let started;
  for (let tries = 0; tries < 4 && started?.status !== 0 && started?.status !== 77; tries++) {
    port += tries * 1778; // somebody else may have it
    started = spawnSync(peer, ['start', folder, String(port), String(port + 1), String(process.pid)], { stdio: 'inherit' });
  }
  if (started.status === 77) {
    console.log('no MongoDB peer here: the example of documents is left out');
    return;
  }
  assert.strictEqual(started.status, 0, 'the MongoDB peer does not start');
  const orders = [{ insert: 'orders', documents: JSON.parse(block('json documents')) }, { index: 'orders', key: { 'customer.city': 1 } }];
  same(await tell(port + 1, 'script shop\n' + orders.map((order) => JSON.stringify(order)).join(';')), '0');
  const database = `mongodb://reader:p%40ss%2Fw%3Ard@127.0.0.1:${port}/shop?authSource=admin`;
  try {
    compare('collection', printed(database));
    asked(database);
  } finally {
    await tell(port + 1, 'stop shop\n').catch(() => {});
  }
}

try {
  sql();
  if (process.env.DRAGOMAN_NO_MONGODB !== '1') await documents();
  if (write) fs.writeFileSync(page, text);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
