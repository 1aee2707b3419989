// The numbers of an answer as cards: large, with the change against the value before and a small line.
import type { Answer } from "../api/types";
import { changeWords, figuresOf, sparkline, type Figure } from "../logic/figures";
import { t } from "../text";

const line_width = 120;
const line_height = 28;

function Card({ figure, alone, drawn }: { figure: Figure; alone: boolean; drawn: boolean }) {
  return (
    <li className={alone ? "number is-alone" : "number"}>
      {(figure.label || figure.about) && (
        <p className="number-label">
          {figure.label}
          {figure.about && <span className="quiet"> {figure.about}</span>}
        </p>
      )}
      <p className="figure" data-test="figure">
        {figure.value}
      </p>
      {figure.change && (
        <p className="number-change" data-test="change">
          <span aria-hidden="true">{figure.change.share < 0 ? "↓" : "↑"}</span> {changeWords(figure.change.share)}{" "}
          <span className="quiet">{t.answer.against(figure.change.from)}</span>
        </p>
      )}
      {figure.line && !(alone && drawn) && (
        <svg className="number-line" viewBox={`-1 -2 ${line_width + 2} ${line_height + 4}`} aria-hidden="true" preserveAspectRatio="none">
          <polyline points={sparkline(figure.line, line_width, line_height)} />
        </svg>
      )}
    </li>
  );
}

/** `drawn`: the chart below shows the line already. */
export function Figures({ answer, drawn }: { answer: Answer; drawn: boolean }) {
  const figures = figuresOf(answer);
  if (figures.length === 0) return null;
  return (
    <ul className="numbers" data-test="figures">
      {figures.map((figure, index) => (
        <Card key={index} figure={figure} alone={figures.length === 1} drawn={drawn} />
      ))}
    </ul>
  );
}
