// A link to give away: as text, and as a QR code drawn by us.

import { encode } from "uqr";
import { CopyButton } from "../catalog/kit/copy";
import { Dialog } from "../catalog/kit/dialog";
import { stageStrings as say } from "../strings";
import { shared } from "./state";

/** Light modules around the code, as its standard asks. */
const QUIET_ZONE = 4;

export function ShareDialog() {
  const link = shared.value;
  if (!link) return null;
  const { href, hostname } = link.url;
  const isHere = /^(localhost|127\.|\[::1\])/.test(hostname);
  return (
    <Dialog title={say.shareTitle} onClose={() => (shared.value = null)}>
      <div class="s-share">
        <QrCode text={href} />
        <p>
          {say.shareText}
          {isHere && ` ${say.shareHere}`}
        </p>
        <p class="s-address" dir="ltr">
          {href}
        </p>
        <div class="g-dialog-buttons">
          <button type="button" class="g-button" onClick={() => (shared.value = null)}>
            {say.close}
          </button>
          <CopyButton value={() => href} label={say.copyLink} variant="primary" />
        </div>
      </div>
    </Dialog>
  );
}

/** Dark on light in every theme: that is what cameras read. */
export function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: QUIET_ZONE });
  const path = data
    .map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")).join(""))
    .join("");
  return (
    <svg
      class="s-qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={say.qrLabel(text)}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
