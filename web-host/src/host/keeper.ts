// Keeps what a person typed in a frame for as long as their tab lives: a sandboxed frame has no storage of its own.

/** Letters of one frame: far more than anybody types, and a small part of what a browser keeps for a page. */
export const MAX_KEPT = 300_000;

export interface Keeper {
  read(): string | undefined;
  /** An empty text is nothing to keep. */
  write(text: string): void;
}

/** `name` tells one frame from another. Where the browser keeps nothing, nothing is kept. */
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
