// The action that takes what is chosen, answered or said within a component.

import { resolveContext } from "../../draw/bind";
import type { Scope } from "../../draw/context";
import { type ActionControl, useBindingScope } from "../../draw/hooks";
import { bare } from "../../draw/pointer";
import { guestStrings as say } from "../../strings";
import type { Catalog } from "../../wire/catalog";
import type { Json } from "../../wire/json";
import { ActionStatus, FireButton } from "./action";
import { RowAction } from "./row-action";

interface PickEndProps {
  readonly id: string;
  readonly scope: Scope;
  readonly pick: NonNullable<Catalog["Poll" | "Seats"]["pick"]>;
  readonly chosen: readonly Json[];
  readonly control: ActionControl;
}

/** The button below what can be chosen. */
export function PickEnd({ id, scope, pick, chosen, control }: PickEndProps) {
  const { action, label, confirm, variant, inputs, choices, given } = pick;
  const binding = useBindingScope(scope);
  const value = pick.several ? chosen : chosen[0]!;
  // What else is asked for stands in a dialog, once something is chosen.
  if (inputs && chosen.length > 0)
    return (
      <p class="g-form-end">
        <RowAction
          tableId={id}
          scope={scope}
          spec={{
            ...{ action, label, confirm, variant, inputs, choices, given },
            fixed: { [pick.to]: "value" },
          }}
          row={{ value }}
          rowName={say.selected(chosen.length)}
          rowKey=""
        />
      </p>
    );
  return (
    <p class="g-form-end">
      <FireButton
        action={action}
        label={label}
        variant={variant}
        disabled={chosen.length === 0}
        state={control.state}
        onFire={() =>
          control.fire(
            action,
            Object.assign(bare<Json>(), resolveContext(given, binding), { [pick.to]: value }),
            { confirm },
          )
        }
      />
      <ActionStatus state={control.state} />
    </p>
  );
}
