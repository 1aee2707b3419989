// Asks for an access key if the server requires one.
import { useState } from "react";
import { setKey } from "../api/client";
import { t } from "../text";

export function KeyGate({ onKey }: { onKey: () => void }) {
  const [text, setText] = useState("");
  return (
    <main className="gate">
      <form
        className="card"
        onSubmit={(event) => {
          event.preventDefault();
          setKey(text);
          onKey();
        }}
      >
        <h1>{t.key.title}</h1>
        <p className="quiet">{t.key.lead}</p>
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
        <button type="submit" className="button is-main" disabled={!text.trim()}>
          {t.key.send}
        </button>
      </form>
    </main>
  );
}
