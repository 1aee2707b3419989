// SQL with syntax colours; its editor is loaded when it is wanted.
import { memo, Suspense, useState } from "react";
import { layOut, pieces } from "../logic/sql";
import { t } from "../text";
import { Icon } from "./icon";
import { later } from "./later";
import { useCopy } from "./say";

/** Longer texts are not coloured, because that would make the page slow. */
const most_coloured = 20_000;

export const Coloured = memo(function Coloured({ sql }: { sql: string }) {
  if (sql.length > most_coloured) return <>{sql}</>;
  return (
    <>
      {pieces(sql).map((piece, index) =>
        piece.kind === "space" ? (
          piece.text
        ) : (
          <span key={index} className={`sql-${piece.kind}`}>
            {piece.text}
          </span>
        ),
      )}
    </>
  );
});

// With completion and the guard's word: loaded when somebody edits.
const Editor = later(() => import("./sqleditor").then((part) => ({ default: part.SqlEditor })));

interface Props {
  sql: string;
  /** without it, the SQL cannot be edited */
  onRun?: (sql: string) => void;
  datasource?: string | undefined;
  /** begins with the editor */
  edit?: boolean;
}

export function Sql({ sql, onRun, datasource, edit = false }: Props) {
  const [editing, setEditing] = useState(edit);
  const copy = useCopy(t.answer.copied, t.answer.copyFailed);
  const shown = layOut(sql);
  if (editing && onRun) {
    return (
      <Suspense fallback={<p className="empty">{t.loading}</p>}>
        <Editor
          sql={shown}
          datasource={datasource}
          onCancel={() => setEditing(false)}
          onRun={(text) => {
            setEditing(false);
            onRun(text);
          }}
        />
      </Suspense>
    );
  }
  return (
    <div className="sql">
      <pre tabIndex={0} aria-label={t.sql.label}>
        <code data-test="sql">
          <Coloured sql={shown} />
        </code>
      </pre>
      <div className="row">
        <button className="button is-small" type="button" onClick={() => copy(sql)}>
          <Icon name="copy" /> {t.sql.copy}
        </button>
        {onRun && (
          <button className="button is-small" type="button" onClick={() => setEditing(true)}>
            <Icon name="edit" /> {t.sql.edit}
          </button>
        )}
      </div>
    </div>
  );
}
