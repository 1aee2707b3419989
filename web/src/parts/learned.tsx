// What dragoman learned from a correction, shown at once, so that the user can check it.
import { get, query, remove, segment } from "../api/client";
import type { Answer } from "../api/types";
import { learnedBy, type Lesson } from "../logic/lesson";
import { useLoad } from "../state/use";
import { t } from "../text";
import { Icon } from "./icon";
import { problemFrom } from "../logic/problem";
import { useVoice } from "../state/voice";

export function Learned({ answer, said }: { answer: Answer; said: string }) {
  const { note } = useVoice();
  const loaded = useLoad(
    async (signal) => (await get<{ lessons?: Lesson[] }>(`/api/v1/lessons${query({ datasource: answer.datasource })}`, signal)).lessons ?? [],
    answer.query_id,
  );
  const learned = learnedBy(answer, loaded.value ?? []);
  const forget = async () => {
    try {
      for (const lesson of learned) await remove(`/api/v1/lessons/${segment(lesson.id)}`);
      loaded.reload();
      note(t.correct.forgotten);
    } catch (cause) {
      note(problemFrom(cause).message);
    }
  };
  return (
    <div className="learned" data-test="learned">
      <Icon name="memory" />
      <div>
        <p>{t.correct.said(said)}</p>
        {learned.length > 0 && (
          <>
            <p className="quiet">
              {learned
                .map((lesson) =>
                  lesson.kind === "query_pattern" ? t.correct.learnedQuery(lesson.schema_name) : t.correct.learnedName(lesson.schema_name, lesson.actual_name),
                )
                .join(" ")}
            </p>
            <p className="row">
              <a href="#/memory/lessons">{t.correct.seeLessons}</a>
              <button type="button" className="link" onClick={() => void forget()}>
                {t.correct.forget}
              </button>
            </p>
          </>
        )}
      </div>
    </div>
  );
}
