// Saves a query under a name.
import { useState } from "react";
import { post } from "../api/client";
import type { Answer } from "../api/types";
import { t } from "../text";
import { Icon } from "./icon";
import { problemFrom } from "./problem";
import { useVoice } from "./say";

export function Save({ answer }: { answer: Answer }) {
  const [open, setOpen] = useState(false);
  const [name, setName] = useState(answer.question ?? "");
  const { note } = useVoice();
  const save = async () => {
    try {
      await post("/api/v1/saved", {
        name: name.trim(),
        sql: answer.sql,
        ...(answer.question ? { question: answer.question } : {}),
        ...(answer.datasource ? { datasource: answer.datasource } : {}),
      });
      setOpen(false);
      note(t.saved.done);
    } catch (cause) {
      note(problemFrom(cause).message);
    }
  };
  if (!open) {
    return (
      <button type="button" className="button is-small" onClick={() => setOpen(true)}>
        <Icon name="save" /> {t.answer.save}
      </button>
    );
  }
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) void save();
      }}
    >
      <label className="field is-small">
        <input value={name} aria-label={t.saved.name} autoFocus onChange={(event) => setName(event.target.value)} />
      </label>
      <button type="submit" className="button is-small is-main">
        {t.answer.save}
      </button>
      <button type="button" className="button is-small" onClick={() => setOpen(false)}>
        {t.sql.cancel}
      </button>
    </form>
  );
}
