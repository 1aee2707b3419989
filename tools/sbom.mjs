#!/usr/bin/env node
// Writes the list of what the program is made of (CycloneDX 1.6, JSON):
//
//   tools/sbom.mjs PARTS OUT [PACKAGES]
//
// PARTS (written by cmake/Sbom.cmake) has one line for each library or file, separated by tabs: use (linked, loaded or
// embedded), name, version, file or soname, licence, project page. PACKAGES (written by web/tools/build.mjs) names the
// npm packages whose code is in the page. The same input gives the same bytes: the list has a time only if
// SOURCE_DATE_EPOCH gives one.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const [parts, out, packages] = process.argv.slice(2);
if (!out) {
  console.error("usage: tools/sbom.mjs PARTS OUT [PACKAGES]");
  process.exit(2);
}

const read = (name) => readFileSync(path.join(root, name), "utf8");
const licences = (text) =>
  !text ? undefined : / (AND|OR|WITH) /.test(text) ? [{ expression: text }] : [{ license: text.startsWith("LicenseRef-") ? { name: text.slice(11) } : { id: text } }];
const property = (name, value) => ({ name: `dragoman:${name}`, value });
const plain = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && value !== ""));

/** A library of the system, DuckDB, or a file that is part of the program. */
function part(line) {
  const [use, name, version, file, licence, home] = line.split("\t");
  const whole = file.includes("/") ? path.resolve(root, file) : "";
  const content = whole && existsSync(whole) ? createHash("sha256").update(readFileSync(whole)).digest("hex") : "";
  const model = use === "embedded" && name.endsWith("-weights");
  return plain({
    type: model ? "machine-learning-model" : use === "embedded" ? "data" : "library",
    "bom-ref": `${use}:${name}`,
    name,
    version,
    scope: use === "loaded" ? "optional" : "required",
    hashes: content ? [{ alg: "SHA-256", content }] : undefined,
    licenses: licences(licence),
    purl: `pkg:generic/${name}${version ? `@${version}` : ""}`,
    externalReferences: home ? [{ type: "website", url: home }] : undefined,
    properties: [property("use", use), ...(file ? [property(whole ? "file" : "soname", whole ? path.relative(root, whole) : file)] : [])],
  });
}

/** Where a package finds another one: in its own folder, or in one above. */
function placeOf(lock, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf("/node_modules/"), 0))) {
    const place = `${at ? `${at}/` : ""}node_modules/${name}`;
    if (lock.packages[place]) return place;
    if (!at) return "";
  }
}

/** The packages of the page and all that they depend on: place -> is its code known to be in the page? A package that was
 * bundled before it was published may contain code of its dependencies, which our bundler cannot see; so they are listed, too. */
function closure(lock, inPage) {
  const all = new Map(inPage.map((place) => [place, true]));
  for (const place of all.keys()) { // grows while it is walked
    if (!lock.packages[place]) throw new Error(`${place} is in the page but not in web/package-lock.json`);
    for (const name of Object.keys(lock.packages[place].dependencies ?? {})) {
      const found = placeOf(lock, place, name);
      if (found && !all.has(found)) all.set(found, false);
    }
  }
  return all;
}

/** An npm package; `place` is its key in package-lock.json. */
function fromNpm(lock, place, seen) {
  const entry = lock.packages[place];
  const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
  const [algorithm, digest] = (entry.integrity ?? "").split("-");
  const purl = `pkg:npm/${name.replace("@", "%40")}@${entry.version}`;
  return plain({
    type: "library",
    "bom-ref": `${purl}#${place}`,
    name,
    version: entry.version,
    scope: seen ? "required" : "optional",
    hashes: algorithm === "sha512" ? [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }] : undefined,
    licenses: licences(entry.license),
    purl,
    properties: [property("use", seen ? "embedded" : "dependency"), property("in", "page")],
  });
}

const version = read("VERSION").trim();
const lock = JSON.parse(read("web/package-lock.json"));
const inPage = packages ? JSON.parse(readFileSync(packages, "utf8")) : [];
const components = [
  ...readFileSync(parts, "utf8").split("\n").filter(Boolean).map(part),
  ...[...closure(lock, inPage)].map(([place, seen]) => fromNpm(lock, place, seen)),
].sort((a, b) => (a["bom-ref"] < b["bom-ref"] ? -1 : 1));
const own = {
  type: "application",
  "bom-ref": "dragoman",
  name: "dragoman",
  version,
  description: "Ask databases in plain language",
  licenses: licences("Apache-2.0"),
  purl: `pkg:generic/dragoman@${version}`,
};
const epoch = process.env.SOURCE_DATE_EPOCH;
const body = {
  version: 1,
  metadata: plain({
    timestamp: epoch ? new Date(Number(epoch) * 1000).toISOString().replace(".000", "") : undefined,
    tools: { components: [{ type: "application", name: "tools/sbom.mjs", version }] },
    component: own,
  }),
  components,
  dependencies: [{ ref: own["bom-ref"], dependsOn: components.map((component) => component["bom-ref"]) }],
};
// a serial number that is the same for the same content, in the form of a UUID
const hash = createHash("sha256").update(JSON.stringify(body)).digest("hex");
const serial = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `a${hash.slice(17, 20)}`, hash.slice(20, 32)].join("-");
const bom = {
  $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  serialNumber: `urn:uuid:${serial}`,
  ...body,
};
writeFileSync(out, `${JSON.stringify(bom, null, 2)}\n`);
