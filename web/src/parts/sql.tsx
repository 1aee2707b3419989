// SQL with syntax colours, and an editor: a plain text area over the coloured text.
import { memo, useState } from "react";
import { layOut, pieces } from "../logic/sql";
import { t } from "../text";
import { Icon } from "./icon";
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

function Editor({ sql, onRun, onCancel }: { sql: string; onRun: (sql: string) => void; onCancel: () => void }) {
  const [text, setText] = useState(sql);
  return (
    <form
      className="sql-edit"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim()) onRun(text.trim());
      }}
    >
      <div className="sql-layers">
        <pre aria-hidden="true">
          <Coloured sql={text} />
          {"\n"}
        </pre>
        <textarea
          value={text}
          aria-label={t.sql.editor}
          spellCheck={false}
          autoCapitalize="off"
          autoFocus
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
            if (event.key === "Escape") {
              event.stopPropagation();
              onCancel();
            }
          }}
        />
      </div>
      <div className="row">
        <button className="button is-main" type="submit">
          <Icon name="play" /> {t.sql.run}
        </button>
        <button className="button" type="button" onClick={onCancel}>
          {t.sql.cancel}
        </button>
        <span className="quiet">{t.sql.note}</span>
      </div>
    </form>
  );
}

export function Sql({ sql, onRun }: { sql: string; onRun?: (sql: string) => void }) {
  const [editing, setEditing] = useState(false);
  const copy = useCopy(t.answer.copied, t.answer.copyFailed);
  const shown = layOut(sql);
  if (editing && onRun) {
    return (
      <Editor
        sql={shown}
        onCancel={() => setEditing(false)}
        onRun={(text) => {
          setEditing(false);
          onRun(text);
        }}
      />
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
