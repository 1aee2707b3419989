// Is the list of what the program is made of (tools/sbom.mjs) well formed and whole?
//
//   node tests/checks/sbom.mjs SBOM PROGRAM PARTS [PACKAGES]
//
// The form is CycloneDX 1.6's, for the fields that the list uses. Whole means: the libraries listed are those that the
// program is linked with or names as ones to load, no more and no fewer; the packages of the page have the versions and hashes of
// web/package-lock.json; and embedded files have the hashes of the files in the repository.
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const [file, program, parts, packages] = process.argv.slice(2);

const licences = new Set(
  "0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause CC-BY-SA-4.0 ISC LGPL-2.1-or-later MIT PostgreSQL Unlicense Zlib blessing curl".split(" "),
);
const types = new Set("application framework library data machine-learning-model file".split(" "));
const scopes = new Set(["required", "optional", "excluded"]);
const digits = { "SHA-256": 64, "SHA-512": 128 };
const keys = {
  top: "$schema bomFormat specVersion serialNumber version metadata components dependencies",
  metadata: "timestamp tools component",
  component: "type bom-ref name version description scope hashes licenses purl externalReferences properties",
};
/** These come with glibc. */
const ofLibc = /^(libm|libpthread|libdl|librt)\.so|^ld-linux/;
const bytes = readFileSync(program, "latin1");
const named = [...new Set(bytes.match(/\blib[A-Za-z0-9_.-]+\.so\b/g))].filter((name) => !ofLibc.test(name));
const needed = [...execFileSync("readelf", ["-d", program], { encoding: "utf8" }).matchAll(/\(NEEDED\).*\[(.*)\]/g)]
  .map(([, name]) => name)
  .filter((name) => !ofLibc.test(name));
const lock = JSON.parse(readFileSync(path.join(root, "web/package-lock.json"), "utf8")).packages;
const inPage = packages ? JSON.parse(readFileSync(packages, "utf8")) : [];

function onlyKeys(object, allowed, where, say) {
  for (const key of Object.keys(object)) if (!allowed.split(" ").includes(key)) say(`${where}: '${key}' is no field`);
}

function checkComponent(component, where, say) {
  onlyKeys(component, keys.component, where, say);
  if (!types.has(component.type)) say(`${where}: type '${component.type}'`);
  for (const key of ["bom-ref", "name", "purl"]) if (!component[key]) say(`${where}: no ${key}`);
  if (component.scope !== undefined && !scopes.has(component.scope)) say(`${where}: scope '${component.scope}'`);
  if (!/^pkg:(npm|generic)\/(%40[a-z0-9-]+\/)?[A-Za-z0-9._+-]+(@[A-Za-z0-9._+-]+)?$/.test(component.purl ?? "")) say(`${where}: purl '${component.purl}'`);
  for (const hash of component.hashes ?? []) {
    if (!new RegExp(`^[0-9a-f]{${digits[hash.alg] ?? 1}}$`).test(hash.content)) say(`${where}: hash ${hash.alg}`);
  }
  if (!component.licenses?.length) say(`${where}: no licence`);
  for (const { license, expression } of component.licenses ?? []) {
    if (license?.id !== undefined ? !licences.has(license.id) : !license?.name && !expression) say(`${where}: licence ${JSON.stringify(license)}`);
  }
  for (const property of component.properties ?? []) {
    if (!/^dragoman:[a-z]+$/.test(property.name) || typeof property.value !== "string") say(`${where}: property ${property.name}`);
  }
  for (const { type, url } of component.externalReferences ?? []) if (type !== "website" || !/^https:\/\//.test(url)) say(`${where}: reference ${url}`);
}

function checkForm(bom, say) {
  onlyKeys(bom, keys.top, "the file", say);
  onlyKeys(bom.metadata ?? {}, keys.metadata, "metadata", say);
  if (bom.bomFormat !== "CycloneDX" || bom.specVersion !== "1.6" || bom.version !== 1) say("the head is not CycloneDX 1.6's");
  if (!/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(bom.serialNumber)) say("serialNumber is no UUID");
  const stamp = bom.metadata?.timestamp;
  if (stamp !== undefined && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(stamp)) say("timestamp");
  const own = bom.metadata?.component ?? {};
  checkComponent(own, "metadata.component", say);
  if (own.version !== readFileSync(path.join(root, "VERSION"), "utf8").trim()) say("it is of another version");
  const refs = new Set([own["bom-ref"]]);
  for (const component of bom.components ?? []) {
    checkComponent(component, component["bom-ref"], say);
    if (refs.has(component["bom-ref"])) say(`${component["bom-ref"]} is there twice`);
    refs.add(component["bom-ref"]);
  }
  for (const { ref, dependsOn } of bom.dependencies ?? []) {
    for (const name of [ref, ...dependsOn]) if (!refs.has(name)) say(`dependency on ${name}, which is not listed`);
  }
}

const value = (component, name) => component.properties?.find((property) => property.name === `dragoman:${name}`)?.value;
const stem = (soname) => soname.replace(/\.so.*/, "");

const nameOf = (component) => stem(path.basename(value(component, "soname") ?? value(component, "file") ?? ""));

function checkLibraries(components, say) {
  const listed = (use) => new Set(components.filter((one) => value(one, "use") === use).map(nameOf));
  const [linked, loaded] = [listed("linked"), listed("loaded")];
  const [neededStems, namedStems] = [needed.map(stem), named.map(stem)];
  for (const name of neededStems) if (!linked.has(name)) say(`${name} is linked and not listed`);
  for (const name of namedStems) if (!linked.has(name) && !loaded.has(name)) say(`${name} is named in the program and not listed`);
  for (const name of linked) if (!neededStems.includes(name)) say(`${name} is listed and not linked`);
  for (const name of loaded) if (!namedStems.includes(name)) say(`${name} is listed and not named in the program`);
}

function checkPackages(components, say) {
  for (const place of inPage) {
    if (!components.some((one) => one["bom-ref"].endsWith(`#${place}`) && value(one, "use") === "embedded")) say(`${place} is in the page and not listed`);
  }
  for (const component of components.filter((one) => value(one, "in") === "page")) {
    const entry = lock[component["bom-ref"].split("#")[1]];
    const hash = Buffer.from(component.hashes?.[0]?.content ?? "", "hex").toString("base64");
    if (entry?.version !== component.version || entry.integrity !== `sha512-${hash}`) say(`${component["bom-ref"]} is not what web/package-lock.json pins`);
  }
}

const digests = new Map(); // of files, some of which are large
function digest(file) {
  if (!digests.has(file)) digests.set(file, createHash("sha256").update(readFileSync(path.join(root, file))).digest("hex"));
  return digests.get(file);
}

function checkWhole(bom, say) {
  const components = bom.components ?? [];
  checkLibraries(components, say);
  checkPackages(components, say);
  for (const component of components) {
    const source = value(component, "file");
    const hash = component.hashes?.find((one) => one.alg === "SHA-256")?.content;
    if (source && hash !== digest(source)) say(`${source} is another one`);
  }
  for (const name of ["parser.dgw", "lexicon.bin"]) {
    if (!components.some((one) => value(one, "use") === "embedded" && value(one, "file")?.endsWith(name))) say(`${name} is not listed`);
  }
}

function complaints(bom) {
  const all = [];
  checkForm(bom, (text) => all.push(text));
  checkWhole(bom, (text) => all.push(text));
  return all;
}

const find = (bom, name) => bom.components.find((one) => one.name === name);

/** Each of these must be noticed, or the check is worth nothing. */
function damages(bom) {
  const without = (test) => ({ ...bom, components: bom.components.filter((one) => !test(one)) });
  const changed = (change) => {
    const copy = structuredClone(bom);
    change(copy);
    return copy;
  };
  return {
    "no sqlite": without((one) => one.name === "sqlite"),
    "no curl": without((one) => one.name === "curl"),
    "no weights": without((one) => one.name === "parser-weights"),
    "other weights": changed((copy) => (find(copy, "parser-weights").hashes[0].content = "0".repeat(64))),
    "one twice": changed((copy) => copy.components.push(copy.components[0])),
    "another version": changed((copy) => (copy.metadata.component.version = "9")),
    "no licence": changed((copy) => delete copy.components[0].licenses),
    "unknown licence": changed((copy) => (copy.components[0].licenses = [{ license: { id: "Mine" } }])),
    "another field": changed((copy) => (copy.components[0].colour = "red")),
    "another form": changed((copy) => (copy.specVersion = "0.9")),
    "broken purl": changed((copy) => (copy.components[0].purl = "sqlite")),
    "a library that is not linked": changed((copy) => (find(copy, "sqlite").properties[1].value = "libother.so.0")),
    "a library that is not loaded": changed((copy) => (find(copy, "curl").properties[1].value = "libother.so.0")),
    ...(inPage.length ? {
      "no react": without((one) => one.name === "react"),
      "another react": changed((copy) => (find(copy, "react").version = "1.0.0")),
      "changed bytes of react": changed((copy) => (find(copy, "react").hashes[0].content = "0".repeat(128))),
    } : {}),
  };
}

const bom = JSON.parse(readFileSync(file, "utf8"));
let bad = complaints(bom);
if (packages && !inPage.includes("node_modules/react")) bad.push("the page's packages do not include react");
for (const [name, damaged] of Object.entries(damages(bom))) if (!complaints(damaged).length) bad.push(`damage is not noticed: ${name}`);

// the same input gives the same bytes, with a time only where one is given
const folder = mkdtempSync(path.join(tmpdir(), "dragoman-sbom-"));
const again = (environment) => {
  const out = path.join(folder, "again.json");
  execFileSync(process.execPath, [path.join(root, "tools/sbom.mjs"), parts, out, ...(packages ? [packages] : [])], { env: { ...process.env, SOURCE_DATE_EPOCH: "", ...environment } });
  return readFileSync(out, "utf8");
};
if (again({}) !== again({})) bad.push("two runs differ");
const dated = JSON.parse(again({ SOURCE_DATE_EPOCH: "1700000000" }));
if (dated.metadata.timestamp !== "2023-11-14T22:13:20Z" || complaints(dated).length) bad.push("SOURCE_DATE_EPOCH is not taken");
rmSync(folder, { recursive: true });

bad = [...new Set(bad)];
for (const line of bad) console.log(`${path.basename(file)}: ${line}`);
if (!bad.length) console.log(`sbom: ok, ${bom.components.length} components`);
process.exit(bad.length ? 1 : 0);
