// Converts between the zone-less values of date and time inputs and the values with a zone that are
// sent.

function two(part: number): string {
  return String(Math.abs(part)).padStart(2, "0");
}

function zone(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  return minutes === 0
    ? "Z"
    : `${minutes < 0 ? "-" : "+"}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
}

function withSeconds(time: string): string {
  return /^\d{2}:\d{2}$/.test(time) ? `${time}:00` : time;
}

/** "2026-11-21T10:00" as the person's own zone means it. */
export function toDateTime(local: string): string | undefined {
  const [day, time] = local.split("T");
  const at = new Date(local);
  return day && time && !Number.isNaN(at.getTime())
    ? `${day}T${withSeconds(time)}${zone(at)}`
    : undefined;
}

export function toTime(local: string): string | undefined {
  return /^\d{2}:\d{2}(:\d{2})?$/.test(local) ? withSeconds(local) + zone(new Date()) : undefined;
}

function clock(at: Date): string {
  const seconds = at.getSeconds();
  return `${two(at.getHours())}:${two(at.getMinutes())}${seconds ? `:${two(seconds)}` : ""}`;
}

export function fromDateTime(value: string): string {
  const at = new Date(value);
  if (Number.isNaN(at.getTime())) return "";
  return `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${clock(at)}`;
}

export function fromTime(value: string): string {
  const at = new Date(`${new Date().toISOString().slice(0, 10)}T${value}`);
  return Number.isNaN(at.getTime()) ? "" : clock(at);
}
