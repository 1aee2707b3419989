// Takes the journeys, one browser context each, two at a time:
//
//   node web/journeys/run.mjs DRAGOMAN [--only TEXT] [--failed FOLDER]
import { mkdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { access } from "./access.mjs";
import { answers } from "./answers.mjs";
import { checks } from "./checks.mjs";
import { openBrowser, openServer, wait_ms } from "./harness.mjs";
import { edit } from "./edit.mjs";
import { journeys } from "./journeys.mjs";
import { lost } from "./lost.mjs";
import { memory } from "./memory.mjs";
import { seen } from "./seen.mjs";
import { settings } from "./settings.mjs";
import { sources } from "./sources.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const [dragoman, ...rest] = process.argv.slice(2);
const option = (name) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : undefined);
if (!dragoman) {
  console.error("usage: node web/journeys/run.mjs DRAGOMAN [--only TEXT] [--failed FOLDER]");
  process.exit(2);
}
const only = option("--only") ?? "";
const pictures = option("--failed");

const program = path.resolve(dragoman);
const script = path.join(here, "script.txt");
const server = await openServer(program, script);
const browser = await openBrowser(process.env.CHROMIUM);
const failed = [];
let passed = 0;

/** What the browser itself complains of fails a journey too: a script that broke, a refusal of the policy. */
function listen(page, complaints) {
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) complaints.push(message.text());
  });
}

async function take(name, journey) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, acceptDownloads: true, permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  page.setDefaultTimeout(wait_ms);
  const complaints = [];
  const requests = [];
  listen(page, complaints);
  page.on("request", (request) => requests.push(request.url()));
  const began = Date.now();
  try {
    await journey({ page, base: server.base, wire: server.wire, folder: server.folder, requests, browser, dragoman: program, script });
    if (complaints.length) throw new Error(complaints.join("\n"));
    passed++;
    console.log(`ok     ${name} (${Date.now() - began} ms)`);
  } catch (cause) {
    failed.push(name);
    console.log(`FAILED ${name} (${Date.now() - began} ms)\n${cause.message}\n${complaints.join("\n")}`);
    if (pictures) {
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: path.join(pictures, `${name.replaceAll(" ", "-")}.png`) }).catch(() => undefined);
    }
  }
  await context.close();
}

const all = Object.entries({ ...journeys, ...seen, ...lost, ...answers, ...edit, ...memory, ...sources, ...settings, ...access, ...checks }).filter(([name]) => name.includes(only));
// the one that cuts the wire goes alone, at the end
const alone = all.filter(([name]) => name === "lost connection");
// the long ones first, so that the two end together
const queue = all.filter(([name]) => name !== "lost connection").sort(([a], [b]) => Number(b.startsWith("axe")) - Number(a.startsWith("axe")));
const worker = async () => {
  for (let next = queue.shift(); next; next = queue.shift()) await take(...next);
};
try {
  await Promise.all([worker(), worker()]);
  for (const each of alone) await take(...each);
} finally {
  await browser.close();
  await server.close();
}
console.log(`${passed} passed, ${failed.length} failed`);
process.exit(failed.length ? 1 : 0);
