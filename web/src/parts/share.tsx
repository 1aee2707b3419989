// Shares an answer, or its conversation, by a link: for how long, the link, and the links there are.
import { useState } from "react";
import { get, post, remove, segment } from "../api/client";
import type { Answer, Me, Share as Link, Shares } from "../api/types";
import { moment } from "../logic/format";
import { problemFrom } from "../logic/problem";
import { chartOf } from "../state/chosen";
import { useLoad } from "../state/use";
import { useVoice } from "../state/voice";
import { t } from "../text";
import { Icon } from "./icon";
import { useCopy } from "./say";

const day_s = 24 * 60 * 60;
const usual_days = [1, 7, 30, 90];

const when = (iso: string) => moment(iso)?.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }) ?? iso;

/** The link that was just made. */
function Made({ link }: { link: Link }) {
  const copy = useCopy(t.share.copied, t.answer.copyFailed);
  const address = link.url ?? `${location.origin}${link.path ?? ""}`;
  return (
    <div className="labelled" data-test="share-link">
      <label className="labelled">
        <span>{t.share.made(when(link.expires_at))}</span>
        <input readOnly value={address} autoFocus onFocus={(event) => event.target.select()} />
      </label>
      <div className="row">
        <button type="button" className="button is-main is-small" onClick={() => copy(address)}>
          <Icon name="copy" /> {t.share.copy}
        </button>
        <a className="button is-small" href={address} target="_blank" rel="noreferrer">
          {t.share.open}
        </a>
      </div>
    </div>
  );
}

function Links({ links, onRevoke }: { links: readonly Link[]; onRevoke: (link: Link) => void }) {
  return (
    <ul className="list" data-test="share-list">
      {links.map((link) => (
        <li key={link.id} className="item">
          <div>
            <p>{link.title || t.share[link.kind]}</p>
            <p className="quiet">
              {t.share[link.kind]} · {t.share.until(when(link.expires_at))} · {t.share.opened(link.opens)}
            </p>
          </div>
          <button type="button" className="button is-small" aria-label={t.share.revokeWhat(link.title)} onClick={() => onRevoke(link)}>
            {t.share.revoke}
          </button>
        </li>
      ))}
    </ul>
  );
}

export function Share({ answer, onDone }: { answer: Answer; onDone: () => void }) {
  const { note } = useVoice();
  const me = useLoad((signal) => get<Me>("/api/v1/me", signal), "me");
  const list = useLoad((signal) => get<Shares>("/api/v1/shares", signal), "shares");
  const [whole, setWhole] = useState(false);
  const [days, setDays] = useState<number>();
  const [made, setMade] = useState<Link>();
  const [problem, setProblem] = useState("");
  const most = me.value?.share_max_days;
  const usual = me.value?.share_days;
  const act = async (work: () => Promise<unknown>) => {
    try {
      await work();
      setProblem("");
      list.reload();
    } catch (cause) {
      const { message, hint } = problemFrom(cause);
      setProblem([message, hint].filter(Boolean).join(" "));
    }
  };
  const make = () =>
    act(async () => {
      const what = whole ? { session_id: answer.session_id } : { query_id: answer.query_id, ...chartOf(answer) };
      setMade(await post<Link>("/api/v1/shares", { ...what, expires_in_s: (days ?? usual ?? 1) * day_s }));
    });
  const revoke = (link: Link) =>
    act(async () => {
      await remove(`/api/v1/shares/${segment(link.id)}`);
      if (made?.id === link.id) setMade(undefined);
      note(t.share.revoked);
    });
  if (!me.value && !me.problem) return <p className="quiet">{t.loading}</p>;
  const offered = [...new Set([...usual_days, usual ?? 1])].filter((each) => each <= (most ?? 0)).sort((a, b) => a - b);
  return (
    <form
      className="panel"
      aria-label={t.share.title}
      data-test="share"
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      {!most ? (
        <p className="quiet">{me.problem?.message ?? t.share.off}</p>
      ) : (
        <>
          {answer.session_id && (
            <fieldset className="plain-set">
              <legend className="title">{t.share.what}</legend>
              {[false, true].map((each) => (
                <label key={String(each)} className="radio">
                  <input type="radio" name={`share-${answer.query_id}`} checked={whole === each} onChange={() => setWhole(each)} />
                  <span>{each ? t.share.conversation : t.share.answer}</span>
                </label>
              ))}
            </fieldset>
          )}
          <label className="select">
            <span>{t.share.works}</span>
            <select value={days ?? usual} onChange={(event) => setDays(Number(event.target.value))}>
              {offered.map((each) => (
                <option key={each} value={each}>
                  {t.share.days(each)}
                </option>
              ))}
            </select>
          </label>
          <p className="quiet">{t.share.lead}</p>
        </>
      )}
      {problem && (
        <p className="warning" role="alert">
          {problem}
        </p>
      )}
      <div className="row">
        {most && (
          <button type="submit" className="button is-main is-small">
            {t.share.make}
          </button>
        )}
        <button type="button" className="button is-small" onClick={onDone}>
          {t.share.close}
        </button>
      </div>
      {made && <Made key={made.id} link={made} />}
      {(list.value?.shares.length ?? 0) > 0 && (
        <details open={Boolean(made)}>
          <summary>{t.share.yours}</summary>
          <Links links={list.value?.shares ?? []} onRevoke={(link) => void revoke(link)} />
        </details>
      )}
    </form>
  );
}
