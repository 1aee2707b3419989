// Lessons as sentences, and those that a correction has just created.
import type { Answer } from "../api/types";

export interface Lesson {
  id: string;
  kind?: string;
  datasource?: string;
  schema_name: string;
  actual_name: string;
  confidence?: number;
  usage_count?: number;
  success_rate?: number;
  source?: string;
  enabled?: boolean;
}

/** What is taught by a corrected answer: the SQL of its question, and the names of its tables. */
export function learnedBy(answer: Answer, lessons: readonly Lesson[]): Lesson[] {
  const question = answer.rewritten_query ?? answer.question;
  const tables = new Set(answer.tables_used ?? []);
  return lessons.filter((lesson) => {
    if (lesson.source !== "user_correction" || lesson.datasource !== answer.datasource) return false;
    if (lesson.kind === "query_pattern") return lesson.schema_name === question;
    return lesson.kind === "table_mapping" && tables.has(lesson.actual_name);
  });
}

const common = new Set(
  "a all and any are as at be by can do does each every find for from get give has have how i in is it list many me most much my not of on or our per please show tell than that the their there these they this those to top us was we were what when where which who with you your".split(" "),
);

/** The words of a question that may mean something here. */
export function wordsOf(question: string): string[] {
  const words = question.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const kept = words.filter((word) => word.length > 1 && !common.has(word.toLowerCase()) && !/^\d+$/.test(word));
  return [...new Set(kept.map((word) => word.toLowerCase()))].slice(0, 12);
}
