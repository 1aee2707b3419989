// A switch that changes at once, and changes back if the server refuses.
import { useState, type ReactNode } from "react";

interface Props {
  on: boolean;
  label?: string;
  disabled?: boolean;
  /** false: the server refused it */
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
