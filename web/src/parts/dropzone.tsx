// Files dropped anywhere onto asking are added, and then asked about. What uploads is loaded when a file comes.
import { useRef, useState, type ReactNode } from "react";
import { problemFrom } from "../logic/problem";
import { useVoice } from "../state/voice";
import { t } from "../text";
import { Icon } from "./icon";
import { ProblemCard } from "./problem";
import type { Problem } from "../api/types";
import { percent } from "../logic/format";

interface Props {
  className: string;
  children: ReactNode;
  /** the file can be asked by this id now */
  onAdded: (id: string) => void;
}

const hasFiles = (event: React.DragEvent): boolean => [...event.dataTransfer.types].includes("Files");

export function DropZone({ className, children, onAdded }: Props) {
  const [over, setOver] = useState(false);
  const [now, setNow] = useState<{ name: string; part: number }>();
  const [problem, setProblem] = useState<Problem>();
  const depth = useRef(0);
  const { note } = useVoice();
  const take = async (files: readonly File[]) => {
    setProblem(undefined);
    try {
      const { sendFile } = await import("./upload");
      for (const file of files) {
        setNow({ name: file.name, part: 0 });
        const made = await sendFile(file, (part) => setNow({ name: file.name, part }));
        note(t.sources.uploaded(made.name));
        onAdded(made.id);
      }
    } catch (cause) {
      setProblem(problemFrom(cause));
    }
    setNow(undefined);
  };
  return (
    <div
      className={over ? `${className} is-over` : className}
      data-test="asking"
      onDragEnter={(event) => {
        if (!hasFiles(event)) return;
        depth.current++;
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (hasFiles(event) && --depth.current <= 0) setOver(false);
      }}
      onDragOver={(event) => {
        if (hasFiles(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        void take([...event.dataTransfer.files]);
      }}
    >
      {children}
      {over && (
        <p className="drop-here">
          <Icon name="upload" /> {t.ask.dropHere}
        </p>
      )}
      {(now || problem) && (
        <div className="drop-state" data-test="drop-state">
          {now && (
            <p className="quiet">
              <progress value={now.part} max={1} aria-label={now.name} /> {t.sources.uploading(now.name, percent(now.part))}
            </p>
          )}
          {problem && <ProblemCard problem={problem} />}
        </div>
      )}
    </div>
  );
}
