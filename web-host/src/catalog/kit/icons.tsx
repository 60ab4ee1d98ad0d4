// Inline icons by name; an unknown name draws a dot, so no font and no request is ever needed.

const paths: { readonly [name: string]: string } = {
  add: "M12 5v14M5 12h14",
  remove: "M5 12h14",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 12.5l4.5 4.5L19 7.5",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  delete: "M5 7h14M10 4h4M7 7l1 13h8l1-13M10 11v5M14 11v5",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
  menu: "M4 7h16M4 12h16M4 17h16",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  up: "M6 15l6-6 6 6",
  down: "M6 9l6 6 6-6",
  left: "M15 6l-6 6 6 6",
  right: "M9 6l6 6-6 6",
  next: "M9 6l6 6-6 6",
  back: "M15 6l-6 6 6 6",
  refresh: "M19 8a8 8 0 1 0 1 6M20 4v5h-5",
  send: "M4 12l16-8-6 16-3-6zM11 14l9-10",
  copy: "M9 9h10v11H9zM5 15V4h10",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  bell: "M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4",
  info: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 11v5M12 8h.01",
  warning: "M12 4l9 16H3zM12 10v4M12 17h.01",
  error: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v5M12 16h.01",
  good: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM8.5 12.5l2.5 2.5 4.5-5",
  circle: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z",
  star: "M12 4l2.5 5.2 5.5.8-4 4 1 5.6-5-2.7-5 2.7 1-5.6-4-4 5.5-.8z",
  favorite: "M12 20S4 15 4 9.5A4 4 0 0 1 12 8a4 4 0 0 1 8 1.5C20 15 12 20 12 20z",
  home: "M4 11l8-7 8 7v9h-5v-6H9v6H4z",
  person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM5 20c0-4 3-6 7-6s7 2 7 6",
  mail: "M4 6h16v12H4zM4 7l8 6 8-6",
  phone: "M7 4l3 5-2 2c1 2 3 4 5 5l2-2 5 3c0 2-1 3-3 3C10 20 4 14 4 7c0-2 1-3 3-3z",
  event: "M5 6h14v14H5zM5 10h14M9 3v4M15 3v4",
  time: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2",
  cart: "M4 5h2l2 10h9l2-7H7M9 19h.01M16 19h.01",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  stop: "M6 6h12v12H6z",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  upload: "M12 16V5M7 9l5-5 5 5M5 20h14",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9h.01",
  file: "M6 3h8l4 4v14H6zM14 3v5h4",
  folder: "M4 6h6l2 2h8v11H4z",
  location: "M12 21s7-6 7-11a7 7 0 0 0-14 0c0 5 7 11 7 11zM12 8a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  lock: "M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3",
  visibility: "M3 12s3-6 9-6 9 6 9 6-3 6-9 6-9-6-9-6zM12 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6L7 7M17 17l1.4 1.4M5.6 18.4L7 17M17 7l1.4-1.4",
  moon: "M19 14a7.5 7.5 0 1 1-9-9 6 6 0 0 0 9 9z",
  system: "M4 5h16v11H4zM9 20h6M12 16v4",
  single: "M5 5h14v14H5z",
  grid: "M4 5h7v14H4zM13 5h7v14h-7z",
  external: "M14 5h5v5M19 5l-8 8M17 14v5H5V7h5",
};

const aliases: { readonly [name: string]: string } = {
  plus: "add",
  minus: "remove",
  x: "close",
  cancel: "close",
  done: "check",
  trash: "delete",
  pencil: "edit",
  accept: "check",
  reject: "close",
  moreVert: "more",
  moreHoriz: "more",
  arrowUp: "up",
  arrowDown: "down",
  arrowBack: "left",
  arrowForward: "right",
  keyboardArrowDown: "down",
  accountCircle: "person",
  calendarToday: "event",
  calendar: "event",
  call: "phone",
  shoppingCart: "cart",
  locationOn: "location",
  help: "info",
  attachFile: "file",
  photo: "image",
  camera: "image",
  schedule: "time",
  clock: "time",
  favoriteOff: "favorite",
  starHalf: "star",
  starOff: "star",
  eye: "visibility",
};

export function Icon({ name, label }: { name: string; label?: string }) {
  const known = Object.hasOwn(aliases, name) ? aliases[name]! : name;
  const path = Object.hasOwn(paths, known) ? paths[known] : "M12 12h.01";
  return (
    <svg
      class="g-icon"
      data-icon={name}
      viewBox="0 0 24 24"
      width="1em"
      height="1em"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      {...(label ? { role: "img", "aria-label": label } : { "aria-hidden": true })}
    >
      <path d={path} />
    </svg>
  );
}
