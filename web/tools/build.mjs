// Builds the page and lays it out for the assembler:
//
//   node web/tools/build.mjs FOLDER
//
// writes FOLDER/page_files.c and FOLDER/page_files.s: every file of the page, compressed, with its
// type and a tag of its content. What Vite made is kept in web/dist under a hash of what it was
// made from, so that several build folders share one build.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const dist = path.join(root, "dist");
/** Beside the page in its folder: the packages whose code is in it, for tools/sbom.mjs. Not part of the page. */
const list = ".packages.json";
const inputs = ["src", "public", "index.html", "vite.config.ts", "package-lock.json", "tools"];
/** What a browser must load before it shows something: script, compressed. */
const first_paint_bytes = 100 * 1024;

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

function filesUnder(place) {
  const whole = path.join(root, place);
  if (!existsSync(whole)) return [];
  const entries = readdirSync(path.dirname(whole), { withFileTypes: true });
  if (entries.find((entry) => entry.name === path.basename(whole))?.isFile()) return [place];
  return readdirSync(whole, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesUnder(path.join(place, entry.name)) : [path.join(place, entry.name)],
  );
}

function fingerprint() {
  const hash = createHash("sha256");
  for (const file of inputs.flatMap(filesUnder).sort()) hash.update(`${file}\0`).update(readFileSync(path.join(root, file)));
  return hash.digest("hex").slice(0, 24);
}

/** The folder that holds the built page; Vite runs only when nothing fits. */
async function built() {
  const wanted = path.join(dist, fingerprint());
  if (existsSync(wanted)) return wanted;
  const { build } = await import("vite");
  const work = path.join(dist, `work-${process.pid}`);
  const found = new Set();
  const listing = {
    name: "list-packages",
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        for (const [id, part] of Object.entries(chunk.modules ?? {})) if (part.renderedLength > 0) found.add(packageOf(id));
      }
    },
  };
  await build({ root, logLevel: "warn", plugins: [listing], build: { outDir: work, emptyOutDir: true } });
  writeFileSync(path.join(work, list), `${JSON.stringify([...found].filter(Boolean).sort(), null, 2)}\n`);
  check(work);
  for (const old of readdirSync(dist)) {
    if (!old.startsWith("work-")) rmSync(path.join(dist, old), { recursive: true, force: true });
  }
  try {
    renameSync(work, wanted);
  } catch {
    rmSync(work, { recursive: true, force: true }); // another build was quicker
  }
  return wanted;
}

/** "…/web/node_modules/vega-lite/node_modules/vega-expression/x.js": its key in package-lock.json; "" for our own. */
function packageOf(id) {
  const file = id.replace(/^\0/, "").replaceAll("\\", "/");
  return /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? "";
}

function check(folder) {
  const page = readFileSync(path.join(folder, "index.html"), "utf8");
  const scripts = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map((match) => match[1]);
  const sum = scripts.reduce((size, file) => size + gzipSync(readFileSync(path.join(folder, file))).length, 0);
  if (sum > first_paint_bytes) {
    throw new Error(`the first paint needs ${sum} bytes of script; ${first_paint_bytes} are allowed`);
  }
  if (/https?:\/\//.test(page)) throw new Error("index.html names another host");
}

function write(file, content) {
  if (existsSync(file) && readFileSync(file).equals(Buffer.from(content))) return;
  writeFileSync(file, content);
}

/** One file's rows: a label in the assembler text, and a line of the table. */
function lay(source, name, number, folder) {
  const plain = readFileSync(path.join(source, name));
  const small = name.endsWith(".html"); // plain, so that any client can read it
  const data = small ? plain : gzipSync(plain, { level: 9 });
  const stored = path.join(folder, "page", String(number));
  write(stored, data);
  const label = `page_file_${number}`;
  const tag = createHash("sha256").update(plain).digest("hex").slice(0, 16);
  const type = types[path.extname(name)] ?? "application/octet-stream";
  return {
    assembly:
      `    .global ${label}\n    .global ${label}_end\n    .hidden ${label}\n    .hidden ${label}_end\n` +
      `    .balign 64\n${label}:\n    .incbin "${stored}"\n${label}_end:\n    .byte 0\n`,
    extern: `extern const char ${label}[];\nextern const char ${label}_end[];\n`,
    row: `    {"${name}", "${type}", "\\"${tag}\\"", ${!small}, ${label}, ${label}_end},\n`,
  };
}

function names(folder, below = "") {
  return readdirSync(path.join(folder, below), { withFileTypes: true })
    .flatMap((entry) => {
      const name = path.posix.join(below, entry.name);
      return entry.isDirectory() ? names(folder, name) : [name];
    })
    .filter((name) => name !== list)
    .sort();
}

const folder = process.argv[2];
if (!folder) {
  console.error("usage: node web/tools/build.mjs FOLDER");
  process.exit(2);
}
mkdirSync(path.join(folder, "page"), { recursive: true });
mkdirSync(dist, { recursive: true });
const source = await built();
const laid = names(source).map((name, number) => lay(source, name, number, folder));
write(
  path.join(folder, "page_files.s"),
  `    .section .rodata\n${laid.map((file) => file.assembly).join("")}    .section .note.GNU-stack,"",%progbits\n`,
);
write(
  path.join(folder, "page_files.c"),
  `/* Written by web/tools/build.mjs. */\n#include "server/page.h"\n\n${laid.map((file) => file.extern).join("")}
const struct page_file page_files[] = {
${laid.map((file) => file.row).join("")}    {0, 0, 0, 0, 0, 0},
};\n`,
);
write(path.join(folder, "page_packages.json"), readFileSync(path.join(source, list)));
