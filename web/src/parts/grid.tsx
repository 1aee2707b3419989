// The result grid: only the visible rows are drawn, so a hundred thousand rows scroll like ten.
import { useDeferredValue, useMemo, useRef, useState, type KeyboardEvent } from "react";
import type { Row } from "../api/types";
import { arrange, cellShown, cellText, columnShapes, columnWords, toTabs, type ColumnShape, type Sorting } from "../logic/cells";
import { windowOf } from "../logic/window";
import { t } from "../text";
import { Icon } from "./icon";
import { Statistics } from "./statistics";
import { useCopy } from "./say";

const row_height = 34;
const rows_in_sight = 12;

interface Place {
  row: number;
  column: number;
}

const moves: Record<string, (place: Place, rows: number, columns: number) => Place> = {
  ArrowDown: (p, rows) => ({ ...p, row: Math.min(p.row + 1, rows - 1) }),
  ArrowUp: (p) => ({ ...p, row: Math.max(p.row - 1, 0) }),
  ArrowRight: (p, _, columns) => ({ ...p, column: Math.min(p.column + 1, columns - 1) }),
  ArrowLeft: (p) => ({ ...p, column: Math.max(p.column - 1, 0) }),
  PageDown: (p, rows) => ({ ...p, row: Math.min(p.row + rows_in_sight, rows - 1) }),
  PageUp: (p) => ({ ...p, row: Math.max(p.row - rows_in_sight, 0) }),
  Home: (p) => ({ ...p, row: 0 }),
  End: (p, rows) => ({ ...p, row: rows - 1 }),
};

function Heading(props: { name: string; sorted: Sorting | undefined; index: number; onSort: () => void; number: boolean }) {
  const { name, sorted, index, onSort, number } = props;
  const mine = sorted?.column === index ? sorted : undefined;
  const order = mine ? (mine.descending ? "descending" : "ascending") : "none";
  return (
    <div role="columnheader" aria-sort={order} className={number ? "cell head is-number" : "cell head"}>
      <button type="button" onClick={onSort} title={t.grid.sort(columnWords(name))}>
        <span>{columnWords(name)}</span>
        {mine && <Icon name={mine.descending ? "down" : "up"} />}
      </button>
    </div>
  );
}

function Line(props: { row: Row; number: number; at: number; shapes: ColumnShape[]; active: number | undefined }) {
  const { row, number, at, shapes, active } = props;
  return (
    <div role="row" aria-rowindex={at + 2} className="line" style={{ top: at * row_height }} data-row={number}>
      {shapes.map((shape, column) => {
        const cell = row[column];
        const empty = cell === null || cell === undefined;
        const kind = `cell${shape.number ? " is-number" : ""}${empty ? " is-empty" : ""}${active === column ? " is-active" : ""}`;
        return (
          <div role="cell" key={column} className={kind} title={cellText(cell)}>
            {empty ? t.grid.empty : cellShown(cell, shape.group, shape.decimals)}
          </div>
        );
      })}
    </div>
  );
}

/** The widths of the columns. The first stays in sight while the others scroll, so it leaves room for them. */
function widths(shapes: readonly ColumnShape[]): { tracks: string; whole: string } {
  const each = shapes.map((shape, index) => {
    const width = `${(shape.width * 0.52 + 1.7).toFixed(2)}rem`;
    return index === 0 && shapes.length > 1 ? `min(${width}, 40vw)` : width;
  });
  return { tracks: each.map((width) => `minmax(${width}, 1fr)`).join(" "), whole: `calc(${each.join(" + ")})` };
}

interface GridProps {
  columns: readonly string[];
  rows: readonly Row[];
  /** how many rows are shown without scrolling */
  sight?: number;
}

export function Grid({ columns, rows, sight = rows_in_sight }: GridProps) {
  const [filter, setFilter] = useState("");
  const [sorting, setSorting] = useState<Sorting>();
  const [top, setTop] = useState(0);
  const [active, setActive] = useState<Place>();
  const [stats, setStats] = useState(false);
  const view = useRef<HTMLDivElement>(null);
  const copy = useCopy(t.answer.copied, t.answer.copyFailed);
  const wanted = useDeferredValue(filter);
  const shapes = useMemo(() => columnShapes(columns, rows), [columns, rows]);
  const order = useMemo(() => arrange(rows, wanted, sorting), [rows, wanted, sorting]);
  const height = Math.min(order.length, sight) * row_height;
  const seen = windowOf(top, height + row_height, row_height, order.length);
  const { tracks, whole } = useMemo(() => widths(shapes), [shapes]);

  const sort = (column: number) =>
    setSorting((now) =>
      now?.column !== column ? { column, descending: false } : now.descending ? undefined : { column, descending: true },
    );

  const hear = (event: KeyboardEvent) => {
    const move = moves[event.key];
    if (event.key === "c" && (event.ctrlKey || event.metaKey) && active && !getSelection()?.toString()) {
      copy(cellText(rows[order[active.row] ?? -1]?.[active.column]));
    } else if (move && order.length > 0) {
      event.preventDefault();
      const next = move(active ?? { row: -1, column: 0 }, order.length, columns.length);
      setActive(next);
      const box = view.current;
      if (!box) return;
      const y = next.row * row_height;
      if (y < box.scrollTop) box.scrollTop = y;
      else if (y + 2 * row_height > box.scrollTop + box.clientHeight) box.scrollTop = y + 2 * row_height - box.clientHeight;
    }
  };

  // a single cell is shown large above the grid: there is nothing to filter or count
  const alone = rows.length === 1 && columns.length === 1;
  const few = rows.length <= rows_in_sight;
  return (
    <div className="grid">
      <div className="row grid-tools" hidden={alone}>
        <label className="field is-small" hidden={few}>
          <Icon name="search" />
          <input
            type="search"
            value={filter}
            placeholder={t.grid.filter}
            aria-label={t.grid.filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        </label>
        <span className="quiet" data-test="row-count">
          {t.grid.shown(order.length, rows.length)}
        </span>
        <span className="spring" />
        <button type="button" className="button is-small" aria-pressed={stats} onClick={() => setStats(!stats)}>
          {t.grid.statistics}
        </button>
        <button
          type="button"
          className="button is-small"
          onClick={() => copy(toTabs(columns, order.map((index) => rows[index] ?? [])))}
        >
          <Icon name="copy" /> {t.grid.copy}
        </button>
      </div>
      {stats && <Statistics columns={columns} rows={rows} />}
      <div
        className="grid-view"
        ref={view}
        role="table"
        aria-label={t.grid.label}
        aria-rowcount={order.length + 1}
        aria-colcount={columns.length}
        tabIndex={0}
        data-test="grid"
        style={{ maxHeight: (sight + 1) * row_height + 16, ["--tracks" as string]: tracks, ["--whole" as string]: whole }}
        onScroll={(event) => {
          const { scrollLeft, scrollTop, dataset } = event.currentTarget;
          dataset.aside = String(scrollLeft > 0);
          setTop(Math.floor(scrollTop / row_height) * row_height);
        }}
        onKeyDown={hear}
      >
        <div role="rowgroup" className="grid-head">
          <div role="row" aria-rowindex={1} className="line">
            {columns.map((name, index) => (
              <Heading
                key={index}
                name={name}
                index={index}
                sorted={sorting}
                number={shapes[index]?.number ?? false}
                onSort={() => sort(index)}
              />
            ))}
          </div>
        </div>
        <div role="rowgroup" className="grid-body" style={{ height: order.length * row_height }}>
          {order.slice(seen.first, seen.end).map((index, offset) => (
            <Line
              key={index}
              row={rows[index] ?? []}
              number={index}
              at={seen.first + offset}
              shapes={shapes}
              active={active?.row === seen.first + offset ? active.column : undefined}
            />
          ))}
        </div>
      </div>
      {order.length === 0 && <p className="quiet empty-line">{t.grid.noMatch}</p>}
    </div>
  );
}
