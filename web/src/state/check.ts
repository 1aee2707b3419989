// What the server's guard says about SQL while it is typed: asked a moment after the last key, and only about the last text.
import { useEffect, useState } from "react";
import { ApiError, post } from "../api/client";
import type { SqlVerdict } from "../api/types";

const pause_ms = 400;
const slower_ms = 2000;

export interface Checked {
  sql: string;
  verdict: SqlVerdict;
}

export function useCheck(sql: string, datasource: string | undefined): Checked | undefined {
  const [checked, setChecked] = useState<Checked>();
  useEffect(() => {
    if (!sql.trim()) {
      setChecked(undefined);
      return;
    }
    const control = new AbortController();
    let timer = 0;
    const look = () => {
      post<SqlVerdict>("/api/v1/sql/check", { sql, ...(datasource ? { datasource } : {}) }, control.signal).then(
        (verdict) => setChecked({ sql, verdict }),
        (cause: unknown) => {
          if (control.signal.aborted) return;
          if (cause instanceof ApiError && cause.status === 429) timer = window.setTimeout(look, slower_ms);
          else setChecked(undefined); // running it will say what is wrong
        },
      );
    };
    timer = window.setTimeout(look, pause_ms);
    return () => {
      window.clearTimeout(timer);
      control.abort();
    };
  }, [sql, datasource]);
  return checked;
}
