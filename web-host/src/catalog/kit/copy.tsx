// A copy button that also works where the clipboard is withheld from frames.

import { useState } from "preact/hooks";
import { guestStrings as say } from "../../strings";
import { Icon } from "./icons";

async function copyText(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    return copyBySelection(value);
  }
}

function copyBySelection(value: string): boolean {
  const before = document.activeElement as HTMLElement | null;
  const area = document.createElement("textarea");
  area.value = value;
  area.style.cssText = "position:fixed;opacity:0";
  // Beside an open dialog nothing can be selected.
  (before?.closest("dialog") ?? document.body).append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  before?.focus();
  return copied;
}

export function CopyButton({
  value,
  label = say.copy,
  variant = "quiet",
}: {
  value: () => string;
  label?: string;
  variant?: "quiet" | "primary";
}) {
  const [copied, setCopied] = useState(false);
  const press = async () => {
    if (!(await copyText(value()))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <button type="button" class="g-button" data-variant={variant} onClick={press}>
      <Icon name={copied ? "check" : "copy"} />
      <span aria-live="polite">{copied ? say.copied : label}</span>
    </button>
  );
}
