// A switch that turns at once and turns back when the server does not agree.
import { useState, type ReactNode } from "react";

interface Props {
  on: boolean;
  label?: string;
  disabled?: boolean;
  /** false: it was not taken */
  onTurn: (on: boolean) => Promise<boolean>;
  children: ReactNode;
}

export function Switch({ on, label, disabled, onTurn, children }: Props) {
  const [turned, setTurned] = useState<boolean>();
  const shown = turned ?? on;
  return (
    <label className="switch">
      <input
        type="checkbox"
        role="switch"
        checked={shown}
        disabled={disabled}
        aria-label={label}
        onChange={() => {
          setTurned(!shown);
          void onTurn(!shown).then((taken) => {
            if (!taken) setTurned(undefined);
          });
        }}
      />
      <span>{children}</span>
    </label>
  );
}
