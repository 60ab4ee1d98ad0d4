// What the components that offer a choice share: their options, and their value as a list.

import { resolve } from "../../draw/bind";
import type { ComponentProps } from "../../draw/context";
import { useBindingScope, useValue } from "../../draw/hooks";
import { MAX_OPTIONS, shortName } from "../../draw/limits";
import type { BindingScope } from "../../draw/model";
import { arrayOf, isObject } from "../../draw/pointer";
import { text } from "../../draw/text";
import type { Json } from "../../wire/json";
import type { Choice } from "./inputs";

export function useChoices({
  def,
  scope,
}: ComponentProps<"Checklist" | "ChoicePicker" | "Matrix" | "Select">): Choice[] {
  return choicesOf(useValue(def.options, scope), useBindingScope(scope));
}

function choicesOf(options: Json | undefined, scope: BindingScope): Choice[] {
  return arrayOf(options)
    .slice(0, MAX_OPTIONS)
    .map((option) =>
      isObject(option)
        ? {
            value: option.value ?? null,
            label: shortName(text(resolve(option.label, scope) ?? option.value)),
          }
        : { value: option, label: shortName(text(option)) },
    );
}

export function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value)
    ? [...value]
    : value === undefined || value === null || value === ""
      ? []
      : [value];
}
