// Actions on an answer: rate, link, share, remember, save and export it.
import { Suspense, useState } from "react";
import { post, segment } from "../api/client";
import type { Answer } from "../api/types";
import { hashOf } from "../logic/route";
import { t } from "../text";
import { Export } from "./export";
import { Icon } from "./icon";
import { later } from "./later";
import { problemFrom } from "../logic/problem";
import { useCopy } from "./say";
import { useVoice } from "../state/voice";

const Remember = later(() => import("./remember").then((part) => ({ default: part.Remember })));
const Share = later(() => import("./share").then((part) => ({ default: part.Share })));
const Save = later(() => import("./save").then((part) => ({ default: part.Save })));

/** Only these can be shared. */
const isFinished = (answer: Answer) => answer.status === "finished" && (answer.type === "rows" || answer.type === "text");

type Panel = "remember" | "save" | "share";

export function Tools({ answer }: { answer: Answer }) {
  const { note } = useVoice();
  const [open, setOpen] = useState<Panel>();
  const [verdict, setVerdict] = useState<boolean>();
  const copy = useCopy(t.answer.linkCopied, t.answer.copyFailed);
  const say = (good: boolean) =>
    post(`/api/v1/ask/${segment(answer.query_id)}/feedback`, { good }).then(
      () => {
        setVerdict(good);
        note(good ? t.answer.thanks : t.answer.thanksBad);
      },
      (cause: unknown) => note(problemFrom(cause).message),
    );
  const link = () => copy(`${location.origin}/${hashOf({ view: "ask", query: answer.query_id })}`);
  const toggle = (which: Panel) => setOpen(open === which ? undefined : which);
  return (
    <>
      <div className="row tools">
        <button type="button" className="button is-icon" aria-label={t.answer.good} title={t.answer.good} aria-pressed={verdict === true} onClick={() => void say(true)}>
          <Icon name="good" />
        </button>
        <button type="button" className="button is-icon" aria-label={t.answer.bad} title={t.answer.bad} aria-pressed={verdict === false} onClick={() => void say(false)}>
          <Icon name="bad" />
        </button>
        <button type="button" className="button is-small" onClick={link}>
          <Icon name="link" /> {t.answer.copyLink}
        </button>
        {isFinished(answer) && (
          <button type="button" className="button is-small" aria-expanded={open === "share"} onClick={() => toggle("share")}>
            <Icon name="share" /> {t.share.button}
          </button>
        )}
        {answer.sql && answer.question && (
          <button type="button" className="button is-small" aria-expanded={open === "remember"} onClick={() => toggle("remember")}>
            <Icon name="memory" /> {t.answer.remember}
          </button>
        )}
        {answer.sql && (
          <button type="button" className="button is-small" aria-expanded={open === "save"} onClick={() => toggle("save")}>
            <Icon name="save" /> {t.answer.save}
          </button>
        )}
        {answer.rows && <Export answer={answer} />}
      </div>
      {open && (
        <Suspense fallback={<p className="quiet">{t.loading}</p>}>
          {open === "share" ? (
            <Share answer={answer} onDone={() => setOpen(undefined)} />
          ) : open === "save" ? (
            <Save answer={answer} onDone={() => setOpen(undefined)} />
          ) : (
            <Remember answer={answer} onDone={() => setOpen(undefined)} />
          )}
        </Suspense>
      )}
    </>
  );
}
