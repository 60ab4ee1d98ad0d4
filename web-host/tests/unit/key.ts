// A key pressed on an element, in tests.

import { act } from "./mount";

export const key = (element: Element | null, name: string) =>
  act(
    () =>
      void element!.dispatchEvent(
        new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }),
      ),
  );
