// The rows of an answer: those in the answer, and further pages on demand.
import { useMemo, useRef, useState } from "react";
import { get, query, segment } from "../api/client";
import type { Answer, Row } from "../api/types";
import { count } from "../logic/format";
import { t } from "../text";
import { Grid } from "./grid";
import { problemFrom } from "../logic/problem";
import { useVoice } from "../state/voice";

const page_rows = 10_000;
const most_rows = 100_000;

interface Page {
  rows?: Row[];
  more?: boolean;
  total?: number;
}

interface Props {
  answer: Answer;
  rows: readonly Row[];
  /** how many rows are shown without scrolling */
  sight?: number;
}

export function Rows({ answer, rows, sight }: Props) {
  const [further, setFurther] = useState<readonly Row[]>([]);
  const [end, setEnd] = useState(!answer.truncated);
  const [total, setTotal] = useState<number>();
  const [busy, setBusy] = useState(false);
  const stop = useRef(false);
  const { note, tell } = useVoice();
  const all = useMemo(() => (further.length ? [...rows, ...further] : rows), [rows, further]);

  /** Loads one page, or all pages; rows that were loaded before a failure are kept. */
  const load = async (whole: boolean) => {
    setBusy(true);
    stop.current = false;
    let got: readonly Row[] = further;
    try {
      for (let more = true; more && !stop.current; more = more && whole) {
        const offset = rows.length + got.length;
        const limit = Math.min(page_rows, most_rows - offset);
        const page = await get<Page>(`/api/v1/ask/${segment(answer.query_id)}/rows${query({ offset, limit })}`);
        const came = page.rows ?? [];
        got = [...got, ...came];
        more = !!page.more && came.length > 0 && rows.length + got.length < most_rows;
        setFurther(got);
        setEnd(!more);
        if (page.total !== undefined) setTotal(page.total);
      }
      tell(t.answer.loaded(rows.length + got.length));
    } catch (cause) {
      note(problemFrom(cause).message);
    }
    setBusy(false);
  };

  return (
    <>
      <Grid columns={answer.columns ?? []} rows={all} {...(sight === undefined ? {} : { sight })} />
      {(!end || further.length > 0) && (
        <div className="row more" data-test="more">
          <span className="quiet">
            {total === undefined ? t.answer.truncated(all.length) : t.answer.part(count(all.length), count(total))}
            {end && total !== undefined && total > most_rows && ` ${t.answer.tooMany}`}
          </span>
          {!end && !busy && (
            <>
              <button type="button" className="button is-small" onClick={() => void load(false)}>
                {t.answer.more}
              </button>
              <button type="button" className="button is-small" onClick={() => void load(true)}>
                {t.answer.all}
              </button>
            </>
          )}
          {busy && (
            <>
              <progress value={all.length} max={Math.min(total ?? most_rows, most_rows)} aria-label={t.answer.loadingRows} />
              <button type="button" className="button is-small" onClick={() => (stop.current = true)}>
                {t.ask.stop}
              </button>
            </>
          )}
        </div>
      )}
    </>
  );
}
