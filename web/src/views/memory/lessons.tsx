// Lessons: what words mean in a database, how often a lesson helped, and whether it is used.
import { useState } from "react";
import { get, patch, remove, segment } from "../../api/client";
import { percent } from "../../logic/format";
import type { Lesson } from "../../logic/lesson";
import { Icon } from "../../parts/icon";
import { Switch } from "../../parts/switch";
import { Coloured } from "../../parts/sql";
import { useSourceName } from "../../state/sources";
import { useLoad } from "../../state/use";
import { t } from "../../text";
import { List, useAttempt } from "./list";

type Attempt = ReturnType<typeof useAttempt>;

function Meaning({ lesson }: { lesson: Lesson }) {
  const sql = lesson.kind === "query_pattern";
  return (
    <p>
      <strong>{lesson.schema_name}</strong> <span className="quiet">{sql ? t.memory.lessons.answered : t.memory.lessons.means}</span>{" "}
      <code>{sql ? <Coloured sql={lesson.actual_name} /> : lesson.actual_name}</code>
    </p>
  );
}

function Editor({ lesson, path, attempt, onDone }: { lesson: Lesson; path: string; attempt: Attempt; onDone: () => void }) {
  const [text, setText] = useState(lesson.actual_name);
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() && text.trim() !== lesson.actual_name) void attempt(() => patch(path, { actual_name: text.trim() }), t.memory.kept);
        onDone();
      }}
    >
      <label className="field">
        <strong>{lesson.schema_name}</strong>
        <input autoFocus value={text} aria-label={t.memory.lessons.meaning(lesson.schema_name)} onChange={(event) => setText(event.target.value)} />
      </label>
      <button type="submit" className="button is-small is-main">
        {t.memory.keep}
      </button>
      <button type="button" className="button is-small" onClick={onDone}>
        {t.sql.cancel}
      </button>
    </form>
  );
}

function LessonRow({ lesson, attempt }: { lesson: Lesson; attempt: Attempt }) {
  const [editing, setEditing] = useState(false);
  const source = useSourceName();
  const path = `/api/v1/lessons/${segment(lesson.id)}`;
  const on = lesson.enabled !== false;
  const facts = [
    t.memory.lessons.kinds[lesson.kind ?? ""],
    source(lesson.datasource),
    t.memory.lessons.sources[lesson.source ?? ""],
    lesson.confidence === undefined ? "" : t.memory.lessons.sure(percent(lesson.confidence)),
    lesson.usage_count === undefined ? "" : t.memory.lessons.used(lesson.usage_count),
    lesson.usage_count && lesson.success_rate !== undefined ? t.memory.lessons.success(percent(lesson.success_rate)) : "",
  ];
  return (
    <li className={on ? "item" : "item is-off"} data-test="lesson">
      <div>
        {editing ? <Editor lesson={lesson} path={path} attempt={attempt} onDone={() => setEditing(false)} /> : <Meaning lesson={lesson} />}
        <p className="quiet">{facts.filter(Boolean).join(" · ")}</p>
      </div>
      <div className="row">
        <Switch
          on={on}
          label={t.memory.lessons.toggle(lesson.schema_name)}
          onTurn={(next) => attempt(() => patch(path, { enabled: next }), t.memory.kept)}
        >
          {on ? t.memory.lessons.on : t.memory.lessons.off}
        </Switch>
        {!editing && (
          <button type="button" className="button is-small" onClick={() => setEditing(true)}>
            {t.memory.edit}
          </button>
        )}
        <button
          type="button"
          className="button is-icon"
          aria-label={t.memory.removeWhat(lesson.schema_name)}
          onClick={() => void attempt(() => remove(path), t.memory.removed)}
        >
          <Icon name="trash" />
        </button>
      </div>
    </li>
  );
}

export function Lessons() {
  const loaded = useLoad(async (signal) => (await get<{ lessons?: Lesson[] }>("/api/v1/lessons", signal)).lessons ?? [], "lessons");
  const attempt = useAttempt(loaded.reload);
  return (
    <List loaded={loaded} none={t.memory.lessons.none} icon="memory">
      {(lesson) => <LessonRow key={lesson.id} lesson={lesson} attempt={attempt} />}
    </List>
  );
}
