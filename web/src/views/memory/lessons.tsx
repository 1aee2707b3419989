// Lessons: what words mean here, how often that helped, and whether it is in use.
import { useState } from "react";
import { get, patch, remove, segment } from "../../api/client";
import { percent } from "../../logic/format";
import { Icon } from "../../parts/icon";
import { useLoad } from "../../state/use";
import { t } from "../../text";
import { List, useAttempt } from "./list";

interface Lesson {
  id: string;
  kind?: string;
  type?: string;
  datasource?: string;
  schema_name: string;
  actual_name: string;
  confidence?: number;
  usage_count?: number;
  success_rate?: number;
  source?: string;
  enabled?: boolean;
}

function LessonRow({ lesson, attempt }: { lesson: Lesson; attempt: ReturnType<typeof useAttempt> }) {
  const [editing, setEditing] = useState(false);
  const [text, setText] = useState(lesson.actual_name);
  const path = `/api/v1/lessons/${segment(lesson.id)}`;
  const on = lesson.enabled !== false;
  const facts = [
    (lesson.kind ?? lesson.type ?? "").replaceAll("_", " "),
    lesson.datasource,
    lesson.confidence === undefined ? "" : t.memory.lessons.sure(percent(lesson.confidence)),
    lesson.usage_count === undefined ? "" : t.memory.lessons.used(lesson.usage_count),
    lesson.usage_count && lesson.success_rate !== undefined ? t.memory.lessons.success(percent(lesson.success_rate)) : "",
  ];
  return (
    <li className={on ? "item" : "item is-off"}>
      <div>
        <p>
          <strong>{lesson.schema_name}</strong> <span className="quiet">{t.memory.lessons.means}</span>{" "}
          {editing ? (
            <input className="inline" value={text} aria-label={t.memory.edit} onChange={(event) => setText(event.target.value)} />
          ) : (
            <code>{lesson.actual_name}</code>
          )}
        </p>
        <p className="quiet">{facts.filter(Boolean).join(" · ")}</p>
      </div>
      <div className="row">
        <label className="switch">
          <input
            type="checkbox"
            checked={on}
            aria-label={t.memory.lessons.toggle(lesson.schema_name)}
            onChange={() => attempt(() => patch(path, { enabled: !on }), t.memory.kept)}
          />
          {on ? t.memory.lessons.on : t.memory.lessons.off}
        </label>
        <button
          type="button"
          className="button is-small"
          onClick={() => {
            if (editing && text.trim() !== lesson.actual_name) attempt(() => patch(path, { actual_name: text.trim() }), t.memory.kept);
            setEditing(!editing);
          }}
        >
          {editing ? t.memory.keep : t.memory.edit}
        </button>
        <button type="button" className="button is-icon" aria-label={t.memory.remove} onClick={() => attempt(() => remove(path), t.memory.removed)}>
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
    <List loaded={loaded} none={t.memory.lessons.none}>
      {(lesson) => <LessonRow key={lesson.id} lesson={lesson} attempt={attempt} />}
    </List>
  );
}
