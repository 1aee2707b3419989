// Exports the rows of an answer as a file, which the server writes.
import { headers, query, request, segment } from "../api/client";
import type { Answer } from "../api/types";
import { fileName } from "../logic/name";
import { t } from "../text";
import { Icon } from "./icon";
import { problemFrom } from "../logic/problem";
import { chartOf } from "../state/chosen";
import { useVoice } from "../state/voice";

const formats = ["html", "csv", "xlsx", "json", "parquet"] as const;

/** Starts the download of a file. */
export function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function Export({ answer }: { answer: Answer }) {
  const { note } = useVoice();
  const take = async (format: string) => {
    try {
      const path = `/api/v1/ask/${segment(answer.query_id)}/export${query({ format, ...(format === "html" ? chartOf(answer) : {}) })}`;
      const response = await request(path, { headers: headers() });
      download(await response.blob(), fileName(answer.question, format));
    } catch (cause) {
      note(problemFrom(cause).message);
    }
  };
  return (
    <details className="menu">
      <summary className="button is-small">
        <Icon name="download" /> {t.answer.export}
      </summary>
      <div className="menu-list">
        {formats.map((format) => (
          <button
            key={format}
            type="button"
            aria-label={t.answer.exportAs(format.toUpperCase())}
            onClick={(event) => {
              event.currentTarget.closest("details")?.removeAttribute("open");
              void take(format);
            }}
          >
            {format.toUpperCase()}
          </button>
        ))}
      </div>
    </details>
  );
}
