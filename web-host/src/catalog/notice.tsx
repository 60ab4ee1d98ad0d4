// Notice: a sentence that stands out, absent while there is nothing to say.

import type { ComponentProps } from "../draw/context";
import { useWhole } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { Icon } from "./kit/icons";
import { plain } from "./kit/markdown";
import { Whole } from "./kit/whole";

const icons: { readonly [tone: string]: string } = { good: "good", warn: "warning", bad: "error" };

export function Notice({ def, scope }: ComponentProps<"Notice">) {
  const [text, letters] = useWhole(def.text, scope);
  const root = useRoot(def, scope, "notice");
  const tone = root["data-tone"] ?? "info";
  return (
    <div {...root} data-tone={tone} role="status" hidden={!text}>
      {text && (
        <>
          <Icon name={icons[tone] ?? "info"} />
          <div class="g-written">
            <Whole text={text} letters={letters} draw={plain} />
          </div>
        </>
      )}
    </div>
  );
}
