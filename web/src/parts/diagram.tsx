// Tables and the keys between them, drawn as SVG.
import { useMemo, useRef, useState } from "react";
import type { Table } from "../api/types";
import { box, diagram, type Box } from "../logic/diagram";
import { t } from "../text";

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
const least_zoom = 0.25;
const most_zoom = 2;

function Entity({ each, far, onNear, onOpen }: { each: Box; far: boolean; onNear: (near: boolean) => void; onOpen: () => void }) {
  return (
    <g
      transform={`translate(${each.x} ${each.y})`}
      className={far ? "er-box is-far" : "er-box"}
      onMouseEnter={() => onNear(true)}
      onMouseLeave={() => onNear(false)}
      onClick={onOpen}
    >
      <rect width={box.width} height={each.height} rx={8} />
      <g
        role="button"
        tabIndex={0}
        className="er-head"
        onFocus={() => onNear(true)}
        onBlur={() => onNear(false)}
        onKeyDown={(event) => {
          if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            onOpen();
          }
        }}
      >
        <text x={12} y={22} className="er-name">
          {cut(each.name, 26)}
        </text>
      </g>
      <line x1={0} x2={box.width} y1={box.head} y2={box.head} />
      {each.lines.map((line, index) => (
        <text key={index} x={12} y={box.head + 18 + index * box.line} className={`er-line is-${line.mark || "plain"}`}>
          {cut(line.name, 30)}
        </text>
      ))}
      {each.more > 0 && (
        <text x={12} y={box.head + 18 + each.lines.length * box.line} className="er-line is-more">
          {`+ ${each.more}`}
        </text>
      )}
    </g>
  );
}

export function Diagram({ tables, onOpen }: { tables: readonly Table[]; onOpen: (name: string) => void }) {
  const drawn = useMemo(() => diagram(tables), [tables]);
  const [near, setNear] = useState<string>();
  const [zoom, setZoom] = useState(1);
  const view = useRef<HTMLDivElement>(null);
  const touches = (name: string) =>
    !near || near === name || drawn.links.some((link) => (link.from === near && link.to === name) || (link.to === near && link.from === name));
  const scale = (by: number) => setZoom((now) => Math.min(most_zoom, Math.max(least_zoom, now * by)));
  const fit = () => {
    const place = view.current;
    if (place) setZoom(Math.min(1, Math.max(least_zoom, Math.min(place.clientWidth / drawn.width, place.clientHeight / drawn.height))));
  };
  return (
    <div>
      <div className="row diagram-tools">
        {drawn.left > 0 && <p className="quiet">{t.sources.tooMany(drawn.boxes.length, tables.length)}</p>}
        <span className="spring" />
        <button type="button" className="button is-small" aria-label={t.sources.zoomOut} title={t.sources.zoomOut} onClick={() => scale(0.8)}>
          −
        </button>
        <button type="button" className="button is-small" aria-label={t.sources.zoomIn} title={t.sources.zoomIn} onClick={() => scale(1.25)}>
          +
        </button>
        <button type="button" className="button is-small" onClick={fit}>
          {t.sources.zoomFit}
        </button>
      </div>
      <div className="diagram" ref={view} tabIndex={0} role="group" aria-label={t.sources.diagram}>
        <svg
          width={drawn.width * zoom}
          height={drawn.height * zoom}
          viewBox={`0 0 ${drawn.width} ${drawn.height}`}
          role="group"
          aria-label={t.sources.diagramOf(drawn.boxes.length)}
          data-test="diagram"
        >
          {drawn.links.map((link, index) => (
            <path key={index} d={link.path} className={near && (link.from === near || link.to === near) ? "er-link is-near" : "er-link"}>
              <title>{link.title}</title>
            </path>
          ))}
          {drawn.boxes.map((each) => (
            <Entity
              key={each.name}
              each={each}
              far={!touches(each.name)}
              onNear={(is) => setNear(is ? each.name : undefined)}
              onOpen={() => onOpen(each.name)}
            />
          ))}
        </svg>
      </div>
    </div>
  );
}
