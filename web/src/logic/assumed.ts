// The assumptions of an answer, and the text that changes them.
import type { Answer } from "../api/types";

/** The text for the question box that corrects an assumption; the user completes `rest`. */
export interface Correction {
  kind: "include" | "without" | "means" | "join" | "question" | "other";
  /** what the assumption is about: "cancelled orders", "banned", a condition, a question */
  about: string;
}

const shapes: readonly (readonly [RegExp, Correction["kind"]])[] = [
  [/^No word asks for the condition: (.+?)\.?$/s, "without"],
  [/^As you chose, this answers: (.+)$/s, "question"],
  [/^'(.+?)' was taken to mean\b/s, "means"],
  [/^No key is declared for (.+?); /s, "join"],
  [/^(.{1,80}?) (?:are|is|were|was) (?:left out|excluded|ignored|not counted|not included)\.?$/is, "include"],
  [/^(?:Left out|Excluded|Without|Not counted|Excluding)\b:? (.{1,80}?)\.?$/is, "include"],
  [/^([\p{L}\d_ ]{1,40}?) (?:is|means|are) /su, "means"],
];

/** "Cancelled orders" inside of a sentence; "EU customers" stays as it is. */
const inside = (text: string): string => (/^\p{Lu}\p{Ll}/u.test(text) ? text[0]?.toLowerCase() + text.slice(1) : text);

export function correctionOf(assumption: string): Correction {
  for (const [shape, kind] of shapes) {
    const about = shape.exec(assumption.trim())?.[1];
    if (about) return { kind, about: kind === "include" || kind === "means" ? inside(about) : about };
  }
  return { kind: "other", about: assumption.trim() };
}

/** The question and SQL to teach if the assumptions are right; undefined without SQL. */
export function lessonOf(answer: Answer): { question: string; sql: string; datasource?: string } | undefined {
  const question = answer.rewritten_query ?? answer.question;
  if (!question || !answer.sql) return undefined;
  return { question, sql: answer.sql, ...(answer.datasource ? { datasource: answer.datasource } : {}) };
}
