// Card: a framed surface around one child.

import type { ComponentProps } from "../draw/context";
import { Node, useRoot } from "../draw/node";

export function Card({ def, scope }: ComponentProps<"Card">) {
  return (
    <section {...useRoot(def, scope, "card")}>
      {typeof def.child === "string" && <Node id={def.child} scope={scope} />}
    </section>
  );
}
