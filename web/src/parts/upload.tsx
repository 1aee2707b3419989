// Uploads files, dropped or chosen, one after another, with progress. After the upload, its user can
// ask a file by its id.
import { useRef, useState } from "react";
import { ApiError, headers, problemOf, query } from "../api/client";
import { bytes, percent } from "../logic/format";
import { t } from "../text";
import { Icon } from "./icon";
import { ProblemCard } from "./problem";
import { problemFrom } from "../logic/problem";
import { useVoice } from "../state/voice";

interface Dataset {
  id: string;
  name: string;
  warnings?: string[];
}

/** XMLHttpRequest, because fetch does not report upload progress. */
export function sendFile(file: File, onPart: (part: number) => void): Promise<Dataset> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/api/v1/datasets${query({ name: file.name })}`);
    for (const [name, value] of Object.entries(headers({ "Content-Type": "application/octet-stream" }))) {
      request.setRequestHeader(name, value);
    }
    request.upload.onprogress = (event) => onPart(event.total ? event.loaded / event.total : 0);
    request.onload = () => {
      let body: unknown = null;
      try {
        body = JSON.parse(request.responseText);
      } catch {
        // the status is handled below
      }
      if (request.status < 300) resolve(body as Dataset);
      else reject(new ApiError(request.status, problemOf(request.status, body)));
    };
    request.onerror = () => reject(new ApiError(0, { code: "NETWORK", message: "The server cannot be reached." }));
    request.send(file);
  });
}

export function Upload({ onAdded }: { onAdded: () => void }) {
  const [over, setOver] = useState(false);
  const [now, setNow] = useState<{ name: string; size: number; part: number }>();
  const [problem, setProblem] = useState<ReturnType<typeof problemFrom>>();
  const [warnings, setWarnings] = useState<string[]>([]);
  const input = useRef<HTMLInputElement>(null);
  const { note } = useVoice();
  const take = async (files: readonly File[]) => {
    setProblem(undefined);
    setWarnings([]);
    for (const file of files) {
      setNow({ name: file.name, size: file.size, part: 0 });
      try {
        const made = await sendFile(file, (part) => setNow({ name: file.name, size: file.size, part }));
        setWarnings((sofar) => [...sofar, ...(made.warnings ?? [])]);
        note(t.sources.uploaded(made.name));
        onAdded();
      } catch (cause) {
        setProblem(problemFrom(cause));
        break;
      }
    }
    setNow(undefined);
  };
  return (
    <section
      className={over ? "drop is-over" : "drop"}
      aria-label={t.sources.upload}
      data-test="drop"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void take([...event.dataTransfer.files]);
      }}
    >
      <Icon name="upload" />
      <p>{over ? t.sources.dropNow : t.sources.drop}</p>
      <input
        ref={input}
        type="file"
        multiple
        className="hidden"
        tabIndex={-1}
        aria-label={t.sources.upload}
        onChange={(event) => {
          void take([...(event.target.files ?? [])]).then(() => {
            if (input.current) input.current.value = "";
          });
        }}
      />
      <button type="button" className="button" onClick={() => input.current?.click()} disabled={!!now}>
        {t.sources.choose}
      </button>
      {now && (
        <div className="drop-progress" data-test="upload-progress">
          <progress value={now.part} max={1} aria-label={now.name} />
          <p className="quiet">{t.sources.uploading(now.name, `${percent(now.part)} of ${bytes(now.size)}`)}</p>
        </div>
      )}
      {warnings.map((each, index) => (
        <p key={index} className="warning">
          {each}
        </p>
      ))}
      {problem && <ProblemCard problem={problem} />}
    </section>
  );
}
