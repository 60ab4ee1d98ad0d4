// The action that takes what is chosen, answered or said within a component.

import type { ActionControl } from "../../draw/hooks";
import type { Catalog } from "../../wire/catalog";
import type { Json } from "../../wire/json";
import { ActionStatus, FireButton } from "./action";

interface PickEndProps {
  readonly pick: NonNullable<Catalog["Poll" | "Seats"]["pick"]>;
  readonly chosen: readonly Json[];
  readonly control: ActionControl;
}

/** The button below what can be chosen. */
export function PickEnd({ pick, chosen, control }: PickEndProps) {
  return (
    <p class="g-form-end">
      <FireButton
        action={pick.action}
        label={pick.label}
        variant={pick.variant}
        disabled={chosen.length === 0}
        state={control.state}
        onFire={() =>
          control.fire(
            pick.action,
            { [pick.to]: pick.several ? chosen : chosen[0]! },
            { confirm: pick.confirm },
          )
        }
      />
      <ActionStatus state={control.state} />
    </p>
  );
}
