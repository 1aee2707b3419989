/** A file name made from a question: plain letters, which every system accepts. */
export function fileName(question: string | undefined, ending: string): string {
  const words = (question ?? "").toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return `${words.join("-").slice(0, 60) || "answer"}.${ending}`;
}
