// Image: a picture by address, only over http(s) or as image data; a quiet place where there is
// none to see.

import { useState } from "preact/hooks";
import type { ComponentProps } from "../draw/context";
import { useAddress } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { guestStrings as say } from "../strings";
import { Icon } from "./kit/icons";
import { isImageUrl, isWebUrl } from "./kit/picture";
import { addStyles } from "./styles";
import css from "./styles/image.css?inline";

addStyles(css);

export function Image({ def, scope }: ComponentProps<"Image">) {
  const url = useAddress(def.url, scope);
  const { "aria-label": label, ...root } = useRoot(def, scope, "image");
  // Addresses that could not be loaded: another address is another attempt.
  const [broken, setBroken] = useState("");
  // If it cannot be loaded here, the person can open the address.
  if (url === broken && isWebUrl(url))
    return (
      <a
        {...root}
        href={url}
        target="_blank"
        rel="noreferrer noopener"
        aria-label={label ?? url}
        data-variant={def.variant}
        data-missing
      >
        <Icon name="image" />
      </a>
    );
  if (!isImageUrl(url) || url === broken)
    return url || root["data-waiting"] ? (
      <span
        {...root}
        role="img"
        aria-label={label ?? say.noImage}
        data-variant={def.variant}
        data-missing
      >
        <Icon name="image" />
      </span>
    ) : null;
  return (
    <img
      {...root}
      data-variant={def.variant}
      data-fit={def.fit}
      src={url}
      alt={label ?? ""}
      loading="lazy"
      onError={() => setBroken(url)}
    />
  );
}
