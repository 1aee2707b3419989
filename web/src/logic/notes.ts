// What an answer's warnings are to a person: some are news, one is another way to ask.
import type { Answer } from "../api/types";

export interface Note {
  kind: "warn" | "other";
  text: string;
}

const other = /^Another way to read the question: (.+)$/s;
/** The page says this itself, with a button to load the rest. */
const cut = /^Only the first \d+ rows are shown; there are more\.$/;

export function notesOf(answer: Answer): Note[] {
  return (answer.warnings ?? []).flatMap((text): Note[] => {
    if (answer.truncated && cut.test(text)) return [];
    const reading = other.exec(text)?.[1];
    return [reading ? { kind: "other", text: reading } : { kind: "warn", text }];
  });
}
