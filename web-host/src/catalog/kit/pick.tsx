// The action that takes what is chosen, answered or said within a component.

import type { ActionControl } from "../../draw/hooks";
import type { Json } from "../../wire/json";
import { ActionStatus, FireButton } from "./action";

export interface Pick {
  readonly action: string;
  readonly label: string;
  readonly to: string;
  readonly field?: string;
  readonly several?: boolean;
  readonly confirm?: boolean;
  readonly variant?: string;
  readonly fixed?: { readonly [payloadKey: string]: string };
  readonly as?: string;
  readonly row?: string;
  readonly column?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
}

interface PickEndProps {
  readonly pick: Pick;
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
