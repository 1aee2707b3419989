// Every language says everything, and is not English that was left over.
import { describe, expect, it } from "vitest";
import { languages } from "../src/text";
import { de } from "../src/text/de";
import { en } from "../src/text/en";

type Tree = { [name: string]: unknown };

/** "ask.title" and what it says; a function is called with what its words need. */
function said(tree: Tree, before = ""): [string, string][] {
  return Object.entries(tree).flatMap(([name, value]): [string, string][] => {
    const path = `${before}${name}`;
    if (typeof value === "function") return [[path, String((value as (...all: unknown[]) => unknown)(2, 3))]];
    if (typeof value === "object" && value !== null) return said(value as Tree, `${path}.`);
    return [[path, String(value)]];
  });
}

describe("languages", () => {
  const english = said(en);
  it("have the same names, and nothing is empty", () => {
    const german = said(de);
    expect(german.map(([path]) => path)).toEqual(english.map(([path]) => path));
    expect(german.filter(([, text]) => !text.trim() || /undefined|\[object/.test(text))).toEqual([]);
  });
  it("are translated", () => {
    const german = new Map(said(de));
    const same = english.filter(([path, text]) => german.get(path) === text && /[a-z] [a-z]/i.test(text));
    // examples of questions and of SQL stay: the parser reads English
    expect(same.map(([path]) => path).sort()).toEqual(["ask.placeholder", "assumed.say.join", "assumed.say.means", "assumed.say.other", "assumed.say.without", "clarify.placeholder", "correct.placeholder"]);
  });
  it("are loaded by what index.ts says", async () => {
    expect(await languages.de?.load?.()).toBe(de);
  });
});
