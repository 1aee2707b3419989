// The server's hints are shared with the command line. A visitor of the page cannot run commands or set environment
// variables, so such hints are replaced by one of the page's own, or left out.
import type { Problem } from "../api/types";

const for_command_line = /'dragoman |dragoman (ask|doctor|keys|lessons|saved|dataset|serve)|(^|\s)--[a-z]|_API_KEY|OLLAMA_HOST/;

export function hintFor(problem: Problem, hints: Record<string, string>): string | undefined {
  if (problem.hint && for_command_line.test(problem.hint)) return hints[problem.code];
  return problem.hint;
}
