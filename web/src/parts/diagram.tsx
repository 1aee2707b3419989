// Tables and how they refer to each other, as SVG of our own.
import { useMemo, useState } from "react";
import type { Table } from "../api/types";
import { box, diagram } from "../logic/diagram";
import { t } from "../text";

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

export function Diagram({ tables, onOpen }: { tables: readonly Table[]; onOpen: (name: string) => void }) {
  const drawn = useMemo(() => diagram(tables), [tables]);
  const [near, setNear] = useState<string>();
  const touches = (name: string) =>
    !near || near === name || drawn.links.some((link) => (link.from === near && link.to === name) || (link.to === near && link.from === name));
  return (
    <div>
      {drawn.left > 0 && <p className="quiet">{t.sources.tooMany(drawn.boxes.length, tables.length)}</p>}
      <div className="diagram" tabIndex={0} role="group" aria-label={t.sources.diagram}>
        <svg
          width={drawn.width}
          height={drawn.height}
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
            <g
              key={each.name}
              transform={`translate(${each.x} ${each.y})`}
              className={touches(each.name) ? "er-box" : "er-box is-far"}
              role="button"
              tabIndex={0}
              aria-label={each.name}
              onMouseEnter={() => setNear(each.name)}
              onMouseLeave={() => setNear(undefined)}
              onFocus={() => setNear(each.name)}
              onBlur={() => setNear(undefined)}
              onClick={() => onOpen(each.name)}
              onKeyDown={(event) => {
                if (event.key === "Enter") onOpen(each.name);
              }}
            >
              <rect width={box.width} height={each.height} rx={8} />
              <text x={12} y={22} className="er-name">
                {cut(each.name, 26)}
              </text>
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
          ))}
        </svg>
      </div>
    </div>
  );
}
