// Turns anything that was thrown into a problem with a code and a message.
import { ApiError } from "../api/client";
import type { Problem } from "../api/types";

export function problemFrom(cause: unknown): Problem {
  if (cause instanceof ApiError) {
    return {
      code: cause.code,
      message: cause.message,
      ...(cause.hint ? { hint: cause.hint } : {}),
      ...(cause.detail ? { detail: cause.detail } : {}),
    };
  }
  return { code: "PAGE", message: cause instanceof Error ? cause.message : String(cause) };
}
