// Stores what a person typed in a frame as long as their tab lives, because a sandboxed frame has
// no storage.

/** Characters for one frame: far more than anybody types, and a small part of a page's storage. */
export const MAX_KEPT = 300_000;

export interface Keeper {
  read(): string | undefined;
  /** An empty text is nothing to keep. */
  write(text: string): void;
}

/** `name` identifies the frame. Without storage in the browser, nothing is kept. */
export function keeperOf(name: string): Keeper {
  const key = `proscenium.kept.${name}`;
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch {
      return undefined;
    }
  };
  return {
    read: () => attempt(() => sessionStorage.getItem(key)) ?? undefined,
    write: (text) =>
      attempt(() => (text ? sessionStorage.setItem(key, text) : sessionStorage.removeItem(key))),
  };
}
