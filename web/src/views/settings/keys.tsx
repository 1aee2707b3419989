// Access keys: created, shown once, listed and revoked. For admins.
import { useContext, useState } from "react";
import { get, hasKey, post, remove, segment, setKey } from "../../api/client";
import { ago, moment } from "../../logic/format";
import { Icon } from "../../parts/icon";
import { ProblemCard } from "../../parts/problem";
import { problemFrom } from "../../logic/problem";
import { useCopy } from "../../parts/say";
import { useVoice } from "../../state/voice";
import { SourcesContext } from "../../state/sources";
import { useLoad } from "../../state/use";
import { t } from "../../text";

interface Key {
  id: string;
  account: string;
  label?: string | null;
  scopes?: string[];
  datasources?: string[] | null;
  expires_at?: string | null;
  expired?: boolean;
  last_used_at?: string | null;
  key?: string;
}

const scopes = ["read", "ask", "admin"] as const;
const lifetimes = [0, 1, 7, 30, 90, 365];
const day_s = 86_400;

/** A key has one of these scopes; each includes those before it. */
const strongest = (key: Key) => [...scopes].reverse().find((scope) => key.scopes?.includes(scope)) ?? "read";

function Made({ made, onDone }: { made: Key; onDone: () => void }) {
  const copy = useCopy(t.answer.copied, t.answer.copyFailed);
  return (
    <section className="panel is-new" aria-label={t.keys.made(made.account)} data-test="new-key">
      <h3>{t.keys.made(made.account)}</h3>
      <p>{t.keys.once}</p>
      <code className="secret" tabIndex={0}>
        {made.key}
      </code>
      <div className="row">
        <button type="button" className="button is-main is-small" onClick={() => copy(made.key ?? "")}>
          <Icon name="copy" /> {t.keys.copy}
        </button>
        <button type="button" className="button is-small" onClick={onDone}>
          {t.keys.done}
        </button>
      </div>
    </section>
  );
}

function Make({ first, onMade }: { first: boolean; onMade: (made: Key) => void }) {
  const sources = useContext(SourcesContext).filter((source) => !source.dataset);
  const [account, setAccount] = useState("");
  const [label, setLabel] = useState("");
  const [scope, setScope] = useState<string>(first ? "admin" : "ask");
  const [only, setOnly] = useState<readonly string[]>([]);
  const [days, setDays] = useState(0);
  const [problem, setProblem] = useState<ReturnType<typeof problemFrom>>();
  const make = async () => {
    setProblem(undefined);
    try {
      const made = await post<Key>("/api/v1/keys", {
        account: account.trim(),
        scopes: [scope],
        ...(label.trim() ? { label: label.trim() } : {}),
        ...(only.length ? { datasources: only } : {}),
        ...(days ? { expires_in_s: days * day_s } : {}),
      });
      setAccount("");
      setLabel("");
      setOnly([]);
      onMade(made);
    } catch (cause) {
      setProblem(problemFrom(cause));
    }
  };
  return (
    <form
      className="stack is-tight"
      data-test="make-key"
      onSubmit={(event) => {
        event.preventDefault();
        if (account.trim()) void make();
      }}
    >
      {first && <p className="warning">{t.keys.first}</p>}
      <div className="pair">
        <label className="labelled">
          <span>{t.keys.account}</span>
          <input value={account} placeholder={t.keys.accountHint} autoComplete="off" onChange={(event) => setAccount(event.target.value)} />
        </label>
        <label className="labelled">
          <span>{t.keys.label}</span>
          <input value={label} onChange={(event) => setLabel(event.target.value)} />
        </label>
        <label className="labelled">
          <span>{t.keys.scope}</span>
          <select value={scope} onChange={(event) => setScope(event.target.value)}>
            {scopes.map((each) => (
              <option key={each} value={each}>
                {t.keys.scopes[each]}
              </option>
            ))}
          </select>
        </label>
        <label className="labelled">
          <span>{t.keys.expires}</span>
          <select value={days} onChange={(event) => setDays(Number(event.target.value))}>
            {lifetimes.map((each) => (
              <option key={each} value={each}>
                {each ? t.keys.days(each) : t.keys.never}
              </option>
            ))}
          </select>
        </label>
      </div>
      {sources.length > 1 && (
        <div className="chips" role="group" aria-label={t.keys.sources}>
          <span className="quiet">{t.keys.sources}</span>
          {sources.map((source) => (
            <button
              key={source.id}
              type="button"
              className="chip"
              aria-pressed={only.includes(source.id)}
              onClick={() => setOnly(only.includes(source.id) ? only.filter((id) => id !== source.id) : [...only, source.id])}
            >
              {source.id}
            </button>
          ))}
        </div>
      )}
      {problem && <ProblemCard problem={problem} />}
      <div className="row">
        <button type="submit" className="button is-main is-small" disabled={!account.trim()}>
          <Icon name="key" /> {t.keys.make}
        </button>
      </div>
    </form>
  );
}

function KeyRow({ each, onRevoke }: { each: Key; onRevoke: () => void }) {
  const [asked, setAsked] = useState(false);
  const until = moment(each.expires_at ?? undefined);
  const facts = [
    t.keys.scopes[strongest(each)],
    each.datasources?.length ? each.datasources.join(", ") : t.keys.allSources,
    each.last_used_at ? t.keys.used(ago(each.last_used_at)) : t.keys.unused,
    each.expired ? t.keys.expired : until ? t.keys.until(until.toLocaleDateString()) : "",
  ];
  return (
    <li className={each.expired ? "item is-off" : "item"} data-test="key">
      <div>
        <p>
          <strong>{each.account}</strong> <span className="quiet">{each.label}</span> <code className="quiet">{each.id}</code>
        </p>
        <p className="quiet">{facts.filter(Boolean).join(" · ")}</p>
      </div>
      <button
        type="button"
        className="button is-small is-danger"
        aria-label={asked ? undefined : t.keys.revokeWhat(each.account)}
        onClick={() => (asked ? onRevoke() : setAsked(true))}
        onBlur={() => setAsked(false)}
      >
        {asked ? t.keys.sure : t.keys.revoke}
      </button>
    </li>
  );
}

export function Keys({ open, onChange }: { open: boolean; onChange: () => void }) {
  const loaded = useLoad(async (signal) => (await get<{ keys?: Key[] }>("/api/v1/keys", signal)).keys ?? [], "keys");
  const [made, setMade] = useState<Key>();
  const { note } = useVoice();
  const keys = loaded.value ?? [];
  const taken = (key: Key) => {
    // from now on the server requires a key: this tab uses the one that it has created
    if (!hasKey() && key.key) setKey(key.key);
    setMade(key);
    loaded.reload();
    onChange();
  };
  const revoke = async (key: Key) => {
    try {
      await remove(`/api/v1/keys/${segment(key.id)}`);
      note(t.keys.revoked);
      loaded.reload();
      onChange();
    } catch (cause) {
      note(problemFrom(cause).message);
    }
  };
  return (
    <section className="card" aria-label={t.keys.title}>
      <h2>{t.keys.title}</h2>
      <p className="quiet">{t.keys.lead}</p>
      {loaded.problem ? (
        <p className="quiet">{loaded.problem.code === "FORBIDDEN" ? t.keys.forbidden : loaded.problem.message}</p>
      ) : (
        <>
          {made && <Made made={made} onDone={() => setMade(undefined)} />}
          {loaded.value && keys.length === 0 && <p>{t.keys.none}</p>}
          {keys.length > 0 && (
            <ul className="list">
              {keys.map((each) => (
                <KeyRow key={each.id} each={each} onRevoke={() => void revoke(each)} />
              ))}
            </ul>
          )}
          {loaded.value && <Make key={String(keys.length === 0)} first={open && keys.length === 0} onMade={taken} />}
        </>
      )}
    </section>
  );
}
