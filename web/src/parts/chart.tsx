// The chart of an answer. This file and Vega are loaded only when a chart is shown.
import { useEffect, useRef, useState } from "react";
import { Warn, loader as vegaLoader, parse, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type TopLevelSpec } from "vega-lite";
import type { Answer } from "../api/types";
import { columnWords } from "../logic/cells";
import { fitting, kinds, recommend, roles, type Choice, type Kind } from "../logic/chart";
import { fileName } from "../logic/name";
import { sentenceOf } from "../logic/said";
import { specOf } from "../logic/spec";
import { choose } from "../state/chosen";
import { useColours } from "../state/theme";
import { t } from "../text";
import { download } from "./export";
import { Icon } from "./icon";

/** Colours of the page, read from its styles so that light and dark both fit. */
function look(element: Element): object {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const words = { labelColor: colour("--ink-2"), titleColor: colour("--ink-2"), labelFont: style.fontFamily, titleFont: style.fontFamily };
  return {
    background: null,
    view: { stroke: null },
    font: style.fontFamily,
    axis: {
      ...words,
      gridColor: colour("--line"),
      domainColor: colour("--line"),
      tickColor: colour("--line"),
      titleFontWeight: 500,
      labelFontSize: 12,
      titleFontSize: 12,
      labelLimit: 180,
    },
    axisY: { domain: false, ticks: false, labelPadding: 6 },
    axisBand: { grid: false, ticks: false },
    header: { ...words, labelFontSize: 12, labelFontWeight: 600, titleFontSize: 12, titleFontWeight: 500 },
    legend: { ...words, labelFontSize: 12, titleFontSize: 12, titleFontWeight: 500, labelLimit: 160, symbolType: "circle" },
    mark: { color: colour("--accent") },
    text: { color: colour("--ink"), font: style.fontFamily },
    range: { category: ["--accent", "--chart-2", "--chart-3", "--chart-4", "--chart-5", "--chart-6", "--chart-7"].map(colour) },
  };
}

/** A loader that refuses everything: the data is inline, and a chart must not send requests. */
function nothing() {
  const loader = vegaLoader();
  const refuse = () => Promise.reject(new Error("charts load nothing"));
  return Object.assign(loader, { load: refuse, http: refuse, file: refuse, sanitize: refuse });
}

async function draw(spec: object, box: HTMLElement): Promise<View> {
  const { spec: plain } = compile(spec as TopLevelSpec, { config: look(box) });
  // Vega's interpreter evaluates expressions without eval(), which the Content-Security-Policy forbids
  const view = new View(parse(plain, undefined, { ast: true }), {
    expr: expressionInterpreter,
    loader: nothing(),
    logLevel: Warn,
    renderer: "canvas",
    container: box,
    hover: true,
  } as ConstructorParameters<typeof View>[1]);
  await view.runAsync();
  return view;
}

function Select(props: { label: string; value: string; options: [string, string][]; onChange: (value: string) => void }) {
  return (
    <label className="select">
      <span>{props.label}</span>
      <select value={props.value} onChange={(event) => props.onChange(event.target.value)}>
        {props.options.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The axes and the colour, by column; all kinds of chart. */
function Axes({ answer, choice, onChoose }: { answer: Answer; choice: Choice; onChoose: (choice: Choice) => void }) {
  const columns = answer.columns ?? [];
  const role = roles(columns, answer.rows ?? []);
  const all = columns.map((name, index): [string, string] => [String(index), columnWords(name)]);
  const numbers = all.filter((_, index) => role[index] === "number");
  return (
    <div className="row chart-tools" data-test="axes">
      <Select
        label={t.chart.kind}
        value={choice.kind}
        options={kinds.map((kind) => [kind, t.chart.kinds[kind] ?? kind])}
        onChange={(kind) => onChoose({ ...choice, kind: kind as Kind })}
      />
      <Select label={t.chart.across} value={String(choice.x)} options={all} onChange={(x) => onChoose({ ...choice, x: Number(x) })} />
      <Select label={t.chart.up} value={String(choice.y[0])} options={numbers} onChange={(y) => onChoose({ ...choice, y: [Number(y)] })} />
      <Select
        label={t.chart.colour}
        value={String(choice.series ?? "")}
        options={[["", t.chart.none], ...all]}
        onChange={(s) => onChoose({ ...choice, series: s === "" ? undefined : Number(s) })}
      />
    </div>
  );
}

interface Props {
  answer: Answer;
  onHide: () => void;
}

export function ChartView({ answer, onHide }: Props) {
  const [choice, setChoice] = useState(() => recommend(answer));
  const [open, setOpen] = useState(false);
  const [failed, setFailed] = useState(false);
  const [left, setLeft] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<View>(undefined);
  const colours = useColours();
  useEffect(() => {
    const place = box.current;
    if (!place) return;
    let gone = false;
    setFailed(false);
    const { spec, left: cut } = specOf(answer.columns ?? [], answer.rows ?? [], choice, place.clientWidth);
    setLeft(cut);
    draw(spec, place).then(
      (drawn) => {
        if (gone) drawn.finalize();
        else view.current = drawn;
      },
      () => setFailed(true),
    );
    return () => {
      gone = true;
      view.current?.finalize();
      view.current = undefined;
      place.replaceChildren();
    };
  }, [answer, choice, colours]);

  const png = async () => {
    const url = await view.current?.toImageURL("png", 2);
    if (!url) return;
    const [head = "", body = ""] = url.split(",");
    const bytes = Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0));
    download(new Blob([bytes], { type: head.slice(5).split(";")[0] ?? "image/png" }), fileName(answer.question, "png"));
  };
  const svg = async () => {
    const text = await view.current?.toSVG();
    if (text) download(new Blob([text], { type: "image/svg+xml" }), fileName(answer.question, "svg"));
  };
  return (
    <div className="chart">
      <div ref={box} className="chart-box" role="img" aria-label={sentenceOf(answer) ?? t.answer.chart} data-test="chart" />
      {failed && <p className="warning">{t.chart.failed}</p>}
      {left > 0 && <p className="quiet">{t.chart.left(left)}</p>}
      <div className="row chart-kinds">
        <div role="group" aria-label={t.chart.as} className="segments">
          {fitting(answer, choice).map((kind) => (
            <button
              key={kind}
              type="button"
              aria-pressed={kind === choice.kind}
              onClick={() => {
                choose(answer.query_id, kind);
                setChoice({ ...choice, kind });
              }}
            >
              {t.chart.kinds[kind] ?? kind}
            </button>
          ))}
        </div>
        <button type="button" className="link is-quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t.chart.axes}
        </button>
        <span className="spring" />
        <span className="chart-files">
          <button type="button" className="link is-quiet" onClick={() => void png()}>
            <Icon name="download" /> {t.chart.png}
          </button>
          <button type="button" className="link is-quiet" onClick={() => void svg()}>
            <Icon name="download" /> {t.chart.svg}
          </button>
          <button type="button" className="link is-quiet" onClick={onHide}>
            {t.chart.hide}
          </button>
        </span>
      </div>
      {open && <Axes answer={answer} choice={choice} onChoose={setChoice} />}
      {open && answer.chart?.reason && <p className="quiet">{answer.chart.reason}</p>}
    </div>
  );
}
