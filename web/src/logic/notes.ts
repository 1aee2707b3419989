// What an answer's warnings are to a person, and how else the question may be read.
import type { Answer, Reading } from "../api/types";

/** The page says this itself, with a button to load the rest. */
const cut = /^Only the first \d+ rows are shown; there are more\.$/;

export function notesOf(answer: Answer): string[] {
  return (answer.warnings ?? []).filter((text) => !(answer.truncated && cut.test(text)));
}

/** Those that the answer is not by. A question that waits shows them as its options. */
export function otherReadings(answer: Answer): Reading[] {
  return answer.clarification ? [] : (answer.readings ?? []).filter((reading) => !reading.used);
}
