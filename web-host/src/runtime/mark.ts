// A short mark of a text: the same for the same text, and hardly ever for another one (FNV-1a).

export function markOf(text: string): string {
  let mark = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) mark = Math.imul(mark ^ text.charCodeAt(at), 0x01000193);
  return (mark >>> 0).toString(16).padStart(8, "0");
}
