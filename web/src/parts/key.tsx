// Asks for an access key if the server requires one, or lets people sign in if it has single sign-on.
import { useState } from "react";
import { get, setKey } from "../api/client";
import type { SignIn } from "../api/types";
import { signInProblem } from "../logic/signin";
import { useLoad } from "../state/use";
import { t } from "../text";

export function KeyGate({ onKey }: { onKey: () => void }) {
  const [text, setText] = useState("");
  const offer = useLoad((signal) => get<SignIn>("/auth", signal), "sign-in");
  const problem = signInProblem(location.search);
  return (
    <main className="gate">
      {offer.value?.sign_in && (
        <section className="card">
          <h1>{t.key.signInTitle}</h1>
          {problem && <p role="alert">{t.key[problem]}</p>}
          <a className="button is-main" href="/auth/sign-in">
            {t.key.signIn}
          </a>
        </section>
      )}
      <form
        className="card"
        onSubmit={(event) => {
          event.preventDefault();
          setKey(text);
          onKey();
        }}
      >
        {offer.value?.sign_in ? <h2>{t.key.instead}</h2> : <h1>{t.key.title}</h1>}
        <p className="quiet">{offer.value?.sign_in ? t.key.insteadLead : t.key.lead}</p>
        <label className="labelled">
          <span>{t.key.label}</span>
          <input
            type="password"
            autoComplete="off"
            autoFocus
            value={text}
            placeholder="dgm_…"
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <button type="submit" className={offer.value?.sign_in ? "button" : "button is-main"} disabled={!text.trim()}>
          {t.key.send}
        </button>
      </form>
    </main>
  );
}
