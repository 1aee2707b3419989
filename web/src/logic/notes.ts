// The warnings of an answer as the page shows them, and the other readings of the question.
import type { Answer, Reading } from "../api/types";

/** The page shows this itself, with a button that loads the other rows. */
const cut = /^Only the first \d+ rows are shown; there are more\.$/;

export function notesOf(answer: Answer): string[] {
  return (answer.warnings ?? []).filter((text) => !(answer.truncated && cut.test(text)));
}

/** The readings that the answer does not use. A waiting question shows them as options. */
export function otherReadings(answer: Answer): Reading[] {
  return answer.clarification ? [] : (answer.readings ?? []).filter((reading) => !reading.used);
}
