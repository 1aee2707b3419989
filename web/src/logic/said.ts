// The words of an answer: the sentence on top, and how the question was understood.
import type { Answer } from "../api/types";

/** Newer servers say the result in `text`, a sentence made from the rows,. */
type Told = Answer & { text?: string };

/** A paraphrase that only repeats the heading is left out. */
function paraphrase(answer: Answer): string | undefined {
  const { summary } = answer;
  return summary === answer.question || summary === answer.rewritten_query ? undefined : summary;
}

export function sentenceOf(answer: Told): string | undefined {
  if (answer.text) return answer.text;
  if (answer.type === "rows") return paraphrase(answer) || answer.explanation || answer.message;
  return answer.explanation || answer.message;
}

/** undefined: the sentence on top says it already, or there is nothing to say. */
export function understoodOf(answer: Told): string | undefined {
  if (answer.type !== "rows") return undefined;
  const words = paraphrase(answer) || answer.explanation;
  return words && words !== sentenceOf(answer) ? words : undefined;
}
