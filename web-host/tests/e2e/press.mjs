// A press as a person makes it: who sees that a page moved away under the pointer presses once more.

// More often no page moves.
const PRESSES = 5;

/**
 * Clicks, and makes sure that the click arrived: while a frame grows, one may land on the page around it,
 * which is no failure to whoever sends it.
 */
export async function press(locator) {
  await answering(locator);
  for (let presses = 1; ; presses++) {
    const arrival = await locator.evaluateHandle((element) => {
      const arrival = { element, seen: false };
      element.addEventListener("click", () => (arrival.seen = true), { capture: true, once: true });
      return arrival;
    });
    await locator.click();
    // What is gone, be it the element or its page, was pressed.
    if (
      await arrival.evaluate(({ element, seen }) => seen || !element.isConnected).catch(() => true)
    )
      return;
    if (presses === PRESSES)
      throw new Error(`pressed ${PRESSES} times, and no click arrived: ${locator}`);
  }
}

/** Answers that wait until they were in sight for a moment are waited for, as a person does. */
function answering(locator) {
  return locator.evaluate(
    (element) =>
      new Promise((done) => {
        const look = () =>
          element.closest("[role=group][aria-disabled=true]") ? setTimeout(look, 20) : done();
        look();
      }),
  );
}
