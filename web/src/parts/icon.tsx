// The few drawings of the page, as lines that take the colour of the text around them.

const paths = {
  ask: "M4 5h16v11H9l-5 4z",
  sources: "M12 3c4.4 0 8 1.3 8 3s-3.6 3-8 3-8-1.3-8-3 3.6-3 8-3zM4 6v12c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3",
  memory: "M6 3h12v18l-6-4-6 4z",
  settings: "M4 7h9M17 7h3M4 12h3M11 12h9M4 17h11M19 17h1M15 5v4M9 10v4M17 15v4",
  plus: "M12 5v14M5 12h14",
  stop: "M7 7h10v10H7z",
  send: "M5 12h13M13 6l6 6-6 6",
  close: "M6 6l12 12M18 6L6 18",
  menu: "M4 7h16M4 12h16M4 17h16",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  yes: "M5 13l4 4L19 7",
  good: "M7 11v9H4v-9zM7 11l4-8c1.500 0 2.500 1 2.500 2.500V9H19c1.200 0 2 1 1.800 2.200l-1.300 7c-.2 1-1 1.800-2 1.800H7",
  bad: "M7 13V4H4v9zM7 13l4 8c1.500 0 2.500-1 2.500-2.500V15H19c1.200 0 2-1 1.800-2.200l-1.300-7c-.2-1-1-1.800-2-1.800H7",
  warn: "M12 4l9 16H3zM12 10v5M12 17.500v.5",
  moon: "M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z",
  sun: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2",
  search: "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l5 5",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  edit: "M4 20l1-4L16 5l3 3L8 19z",
  play: "M8 5l11 7-11 7z",
  more: "M12 5v.01M12 12v.01M12 19v.01",
  save: "M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6",
  download: "M12 4v11M7 10l5 5 5-5M5 20h14",
  upload: "M12 16V5M7 10l5-5 5 5M5 20h14",
  table: "M4 5h16v14H4zM4 10h16M10 10v9",
  back: "M19 12H6M11 6l-6 6 6 6",
  key: "M14 10a4 4 0 1 1-3 3l-7 7v-3h3v-3h3z",
  again: "M20 11a8 8 0 1 0-2 6M20 5v6h-6",
  chevron: "M9 6l6 6-6 6",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
