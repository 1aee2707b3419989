// The SQL editor: a plain text area over the coloured text. It suggests names from the schema, keywords and joins, and
// says while somebody types whether the server's guard allows the SQL.
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import type { SqlVerdict } from "../api/types";
import { complete, taken, type Completion, type Suggestion } from "../logic/complete";
import { pieces } from "../logic/sql";
import { wrongPiece, type Wrong } from "../logic/verdict";
import { useCheck } from "../state/check";
import { useSchema } from "../state/schema";
import "../styles/change.css";
import { t } from "../text";
import { Icon } from "./icon";

/** Longer texts are not coloured, because that would make the page slow. */
const most_coloured = 20_000;

function Layer({ sql, wrong }: { sql: string; wrong: Wrong | undefined }) {
  if (sql.length > most_coloured) return <>{sql}</>;
  let at = 0;
  return (
    <>
      {pieces(sql).map((piece, index) => {
        const from = at;
        at += piece.text.length;
        const marked = wrong && from < wrong.to && at > wrong.from ? " sql-wrong" : "";
        return piece.kind === "space" ? (
          piece.text
        ) : (
          <span key={index} className={`sql-${piece.kind}${marked}`} data-test={marked ? "sql-wrong" : undefined}>
            {piece.text}
          </span>
        );
      })}
    </>
  );
}

/** Where a letter of the text is, in the box of the editor. */
function placeOf(layer: HTMLElement, offset: number): { left: number; top: number } {
  const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT);
  const box = layer.getBoundingClientRect();
  let left = offset;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const size = node.textContent?.length ?? 0;
    if (left <= size) {
      const range = document.createRange();
      range.setStart(node, left);
      range.setEnd(node, left);
      const rects = range.getClientRects();
      const rect = rects[rects.length - 1] ?? range.getBoundingClientRect();
      if (rect.height > 0) return { left: rect.left - box.left, top: rect.bottom - box.top };
      break;
    }
    left -= size;
  }
  return { left: 16, top: 32 };
}

function Verdict({ verdict }: { verdict: SqlVerdict | undefined }) {
  if (!verdict) return null;
  if (verdict.allowed) {
    const names = (verdict.tables ?? []).map((table) => (table as { name: string }).name);
    return (
      <>
        <Icon name="yes" /> {names.length ? t.editor.reads(names.join(", ")) : t.editor.fine}
      </>
    );
  }
  return (
    <>
      <Icon name="warn" /> {verdict.reason ?? t.editor.refused}
    </>
  );
}

interface ListProps {
  id: string;
  items: readonly Suggestion[];
  chosen: number;
  place: { left: number; top: number };
  onTake: (item: Suggestion) => void;
}

function Suggestions({ id, items, chosen, place, onTake }: ListProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <ul id={id} ref={list} role="listbox" aria-label={t.editor.suggestions} className="sql-suggest" style={place} data-test="suggestions">
      {items.map((item, index) => (
        <li
          key={`${item.kind} ${item.text}`}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          onPointerDown={(event) => {
            event.preventDefault(); // the caret stays in the text
            onTake(item);
          }}
        >
          <code>{item.text}</code> <span className="quiet">{item.detail ?? t.editor.kinds[item.kind]}</span>
        </li>
      ))}
    </ul>
  );
}

interface Props {
  sql: string;
  datasource: string | undefined;
  onRun: (sql: string) => void;
  onCancel: () => void;
}

export function SqlEditor({ sql, datasource, onRun, onCancel }: Props) {
  const id = useId();
  const [text, setText] = useState(sql);
  const [found, setFound] = useState<Completion>();
  const [chosen, setChosen] = useState(0);
  const [place, setPlace] = useState({ left: 0, top: 0 });
  const layer = useRef<HTMLPreElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const caret = useRef<number>(undefined);
  const schema = useSchema(datasource, true);
  const tables = schema.tables ?? [];
  const dialect = schema.dialect ?? "";
  const checked = useCheck(text, datasource);
  const verdict = checked?.sql === text ? checked.verdict : undefined;
  const wrong = useMemo(() => verdict && wrongPiece(text, verdict), [text, verdict]);

  const look = (now: string, at: number, asked: boolean) => {
    setFound(complete(now, at, tables, dialect, asked));
    setChosen(0);
  };
  const take = (item: Suggestion) => {
    if (!found) return;
    const after = taken(text, found, item);
    setText(after.text);
    setFound(undefined);
    caret.current = after.caret;
  };
  useLayoutEffect(() => {
    if (caret.current === undefined) return;
    area.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  }, [text]);
  useLayoutEffect(() => {
    if (found && layer.current) setPlace(placeOf(layer.current, found.from));
  }, [found]);

  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const items = found?.items ?? [];
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const item = items[chosen];
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
    else if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      look(text, event.currentTarget.selectionStart, true);
    } else if (item && step) {
      event.preventDefault();
      setChosen((chosen + step + items.length) % items.length);
    } else if (item && (event.key === "Enter" || event.key === "Tab") && !event.shiftKey) {
      event.preventDefault();
      take(item);
    } else if (event.key === "Escape") {
      event.stopPropagation();
      if (found) setFound(undefined);
      else onCancel();
    } else if (/^(Arrow(Left|Right)|Home|End|PageUp|PageDown)$/.test(event.key)) setFound(undefined);
  };

  const note = `${id}-note`;
  return (
    <form
      className="sql-edit"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim()) onRun(text.trim());
      }}
    >
      <div className="sql-layers">
        <pre aria-hidden="true" ref={layer}>
          <Layer sql={text} wrong={wrong} />
          {"\n"}
        </pre>
        <textarea
          ref={area}
          value={text}
          aria-label={t.sql.editor}
          aria-describedby={note}
          aria-autocomplete="list"
          aria-controls={found ? `${id}-list` : undefined}
          aria-activedescendant={found ? `${id}-list-${chosen}` : undefined}
          aria-invalid={verdict ? !verdict.allowed : undefined}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          autoFocus
          onChange={(event) => {
            setText(event.target.value);
            look(event.target.value, event.target.selectionStart, false);
          }}
          onBlur={() => setFound(undefined)}
          onClick={() => setFound(undefined)}
          onKeyDown={onKey}
        />
        {found && <Suggestions id={`${id}-list`} items={found.items} chosen={chosen} place={place} onTake={take} />}
      </div>
      <p className={verdict && !verdict.allowed ? "sql-verdict is-wrong" : "sql-verdict"} role="status" data-test="verdict">
        <Verdict verdict={verdict} />
      </p>
      <span className="hidden" role="status">
        {found ? t.editor.found(found.items.length) : ""}
      </span>
      <div className="row">
        <button className="button is-main" type="submit">
          <Icon name="play" /> {t.sql.run}
        </button>
        <button className="button" type="button" onClick={onCancel}>
          {t.sql.cancel}
        </button>
        <span className="quiet" id={note}>
          {t.sql.note} {t.editor.keys}
        </span>
      </div>
    </form>
  );
}
