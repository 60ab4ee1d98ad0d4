// Image: a picture by address, only over http(s) or as image data.

import type { ComponentProps } from "../draw/context";
import { useText } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { isImageUrl } from "./kit/value";

export function Image({ def, scope }: ComponentProps) {
  const url = useText(def.url, scope);
  const { "aria-label": label, ...root } = useRoot(def, scope, "image");
  if (!isImageUrl(url)) return null;
  return <img {...root} data-variant={def.variant} data-fit={def.fit} src={url} alt={label ?? ""} loading="lazy" />;
}
