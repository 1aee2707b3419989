/** A file's name from a question: plain letters, so that every system takes it. */
export function fileName(question: string | undefined, ending: string): string {
  const words = (question ?? "").toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return `${words.join("-").slice(0, 60) || "answer"}.${ending}`;
}
