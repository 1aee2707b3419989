// The access key that this tab sends.
import { useState } from "react";
import { hasKey, post, setKey } from "../../api/client";
import type { SignedOut } from "../../api/types";
import { t } from "../../text";

export interface Me {
  account?: string | null;
  scopes?: string[];
  open?: boolean;
  signed_in?: boolean;
}

export function Door({ me, onChange }: { me: Me | undefined; onChange: () => void }) {
  const [text, setText] = useState("");
  const have = hasKey();
  return (
    <section className="card" aria-label={t.settings.key}>
      <h2>{t.settings.key}</h2>
      <p className="quiet">{me?.open ? t.settings.open : me?.account ? t.settings.account(me.account) : t.settings.keyLead}</p>
      {me?.signed_in && (
        <button type="button" className="button is-small" onClick={() => void post<SignedOut>("/auth/sign-out").then(({ issuer_url: next }) => (next ? window.location.assign(next) : onChange()), onChange)}>
          {t.settings.signOut}
        </button>
      )}
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          setKey(text);
          setText("");
          onChange();
        }}
      >
        <label className="field is-small">
          <input type="password" autoComplete="off" value={text} placeholder="dgm_…" aria-label={t.key.label} onChange={(event) => setText(event.target.value)} />
        </label>
        <button type="submit" className="button is-small" disabled={!text.trim()}>
          {t.key.send}
        </button>
        {have && (
          <button
            type="button"
            className="button is-small"
            onClick={() => {
              setKey("");
              onChange();
            }}
          >
            {t.settings.keyForget}
          </button>
        )}
      </form>
    </section>
  );
}
