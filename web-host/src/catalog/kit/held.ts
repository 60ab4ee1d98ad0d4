// A key that is held down fires once, because nobody means to send the same a dozen times.

export function onceHeld(event: KeyboardEvent): void {
  if (event.repeat && event.key === "Enter" && !(event.target instanceof HTMLTextAreaElement))
    event.preventDefault();
}
