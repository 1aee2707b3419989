// What the journeys stand on: a real server with a sample shop, a browser, and a wire that can be cut.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";

const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const start_ms = 60_000;
export const big_rows = 100_000;
export const wait_ms = 90_000; // for a machine that does other things; nobody waits that long otherwise

/** Chromium with everything off that would call out. */
export async function openBrowser(executable) {
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
  ];
  return chromium.launch({ executablePath: executable ?? browsers[0], args });
}

function run(program, args, input) {
  const done = spawnSync(program, args, { input, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`${path.basename(program)} ${args[0]}: ${done.stderr}`);
}

/** A datasource whose names and cells try everything. */
function hostile(file) {
  const cells = [
    "<img src=x onerror=window.hit=1>",
    "<script>window.hit=1</script>",
    "[a](javascript:window.hit=1)",
    '=HYPERLINK("http://127.0.0.1:1","x")',
    '{"$schema":"x","data":{"url":"http://127.0.0.1:1"}}',
    "${window.hit=1}",
    "\u202Eevil",
  ];
  const rows = cells.map((cell, i) => `INSERT INTO "<b onclick=hit()>t" VALUES ('${cell.replaceAll("'", "''")}', ${i + 1});`);
  run(
    "sqlite3",
    [file],
    `CREATE TABLE "<b onclick=hit()>t" ("<svg onload=window.hit=1>" TEXT, "datum['x'] || expr" INTEGER);\n${rows.join("\n")}`,
  );
}

/** A hundred thousand rows, and a table that will change. */
function others(folder) {
  run(
    "sqlite3",
    [path.join(folder, "big.db")],
    `CREATE TABLE readings AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${big_rows})
     SELECT i AS id, 'sensor ' || (i % 97) AS sensor, ((i * 7919) % 100003) / 10.0 AS value FROM n;`,
  );
  run("sqlite3", [path.join(folder, "changing.db")], "CREATE TABLE parts (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO parts VALUES (1, 'bolt');");
  run("sqlite3", [path.join(folder, "extra.db")], "CREATE TABLE planets (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO planets VALUES (1, 'Mars');");
}

/** A statement in a database of the server, behind its back. */
export function change(file, sql) {
  run("sqlite3", [file], sql);
}

/** Runs dragoman beside the server, on its store. */
export function command(server, args) {
  const done = spawnSync(server.dragoman, [...args, "--config", server.config], { encoding: "utf8", env: server.env });
  if (done.status !== 0) throw new Error(`dragoman ${args[0]}: ${done.stderr}`);
  return done.stdout.trim();
}

/** A wire between the page and the server that can be cut and mended. */
function openWire(port) {
  const sockets = new Set();
  let cut = false;
  let cut_at;
  const end = () => {
    cut = true;
    for (const socket of sockets) socket.destroy();
  };
  const server = net.createServer((socket) => {
    if (cut) return void socket.destroy();
    const other = net.connect(port, "127.0.0.1");
    for (const each of [socket, other]) {
      sockets.add(each);
      each.on("error", () => undefined);
      each.on("close", () => {
        sockets.delete(each);
        socket.destroy();
        other.destroy();
      });
    }
    socket.on("data", (piece) => {
      if (!cut_at || !piece.includes(cut_at)) return;
      cut_at = undefined;
      other.once("data", () => setImmediate(end));
    });
    socket.pipe(other).pipe(socket);
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () =>
      resolve({
        base: `http://127.0.0.1:${server.address().port}`,
        /** Cuts it when the answer to a request that holds this text begins. */
        cutAt(text) {
          cut_at = text;
        },
        mend() {
          cut = false;
        },
        close() {
          for (const socket of sockets) socket.destroy();
          server.close();
        },
      }),
    );
  });
}

/** The address from the server's first line. */
function listening(child) {
  return new Promise((resolve, reject) => {
    let text = "";
    const timer = setTimeout(() => reject(new Error(`the server did not start: ${text}`)), start_ms);
    const look = (piece) => {
      text += piece;
      const port = text.match(/http:\/\/[^\s]*?:(\d+)/)?.[1];
      if (!port) return;
      clearTimeout(timer);
      resolve(Number(port));
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.on("exit", (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
  });
}

/** `bare`: it was given no database. */
export async function openServer(dragoman, script, { bare = false } = {}) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "dragoman-page-"));
  const shop = path.join(folder, "shop.db");
  run(dragoman, ["sample", shop]);
  hostile(path.join(folder, "hostile.db"));
  others(folder);
  mkdirSync(path.join(folder, "data"));
  const config = path.join(folder, "dragoman.yaml");
  writeFileSync(
    config,
    `store: {folder: ${folder}/data}
sources: {folders: "${folder}"}
agent: {brain: llm}
share: {links: true}
llm: {provider: scripted, script: ${script}}
${bare ? "" : `datasources:
  - {id: shop, url: ${shop}, description: The sample shop}
  - {id: hostile, url: ${folder}/hostile.db}
  - {id: big, url: ${folder}/big.db}
  - {id: changing, url: ${folder}/changing.db}
`}`,
  );
  const env = { PATH: process.env.PATH, HOME: folder, LANG: "C.UTF-8" };
  const start = (at) => spawn(dragoman, ["serve", "--config", config, "--listen", `127.0.0.1:${at}`], { env });
  let child = start(0);
  const port = await listening(child);
  const wire = await openWire(port);
  const end = async (signal) => {
    child.removeAllListeners("exit");
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    const timer = setTimeout(() => child.kill("SIGKILL"), 5000);
    await gone;
    clearTimeout(timer);
  };
  return {
    base: wire.base,
    wire,
    folder,
    dragoman,
    config,
    env,
    /** Ends it with a signal. */
    end,
    /** Starts it again, on the same port. */
    async start() {
      child = start(port);
      await listening(child);
    },
    async close() {
      wire.close();
      await end("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
