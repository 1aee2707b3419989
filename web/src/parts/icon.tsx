// An icon, drawn as lines in the colour of the text around it.
import { type IconName, paths } from "../logic/icons";

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
