// The types of the HTTP interface, made from its own description.
// usage: dragoman serve --openapi | node tools/types.mjs >src/api/types.ts
import { readFileSync } from "node:fs";

const { components } = JSON.parse(readFileSync(0, "utf8"));

const nameOf = (ref) => ref.replace("#/components/schemas/", "");

/** A property as TypeScript. */
function typeOf(property) {
  if (property.allOf) return nameOf(property.allOf[0].$ref);
  if (property.$ref) return nameOf(property.$ref);
  const types = [property.type].flat();
  const nullable = types.includes("null") ? " | null" : "";
  const type = types.find((each) => each !== "null");
  return `${plainType(type, property)}${nullable}`;
}

function plainType(type, { enum: words, items }) {
  if (words) return words.map((word) => JSON.stringify(word)).join(" | ");
  switch (type) {
    case "integer":
      return "number";
    case "array":
      return items?.type === "array" ? "Row[]" : `${items ? typeOf(items) : "unknown"}[]`;
    case "object":
      return "Record<string, unknown>";
    default:
      return type ?? "unknown";
  }
}

const lines = [
  "// Made by tools/types.mjs from what `dragoman serve --openapi` says. Do not edit.",
  "",
  "export type Cell = string | number | boolean | null | object;",
  "export type Row = readonly Cell[];",
];
for (const [name, schema] of Object.entries(components.schemas)) {
  lines.push("", `/** ${schema.description} */`, `export interface ${name} {`);
  for (const [field, property] of Object.entries(schema.properties)) {
    const mark = schema.required?.includes(field) ? "" : "?";
    lines.push(`  /** ${property.description} */`, `  ${field}${mark}: ${typeOf(property)};`);
  }
  lines.push("}");
}
process.stdout.write(`${lines.join("\n")}\n`);
