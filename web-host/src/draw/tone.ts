// The tone of a value: a tone by name, or what a status or level word means.

const words: readonly (readonly [string, RegExp])[] = [
  [
    "bad",
    /^(bad|high|error|err|fatal|critical|severe|alarm|fault|fail(ed|ure)?|danger|down|offline|rejected|blocked)$/,
  ],
  ["warn", /^(warn(ing)?|medium|major|waiting|degraded|pending|paused|overdue|late|tentative)$/],
  [
    "good",
    /^(good|normal|paid|resolved|solved|shipped|delivered|ok|success|succeeded|passed|healthy|up|online|active|done|complete(d)?|approved|ready)$/,
  ],
  [
    "info",
    /^(info|minor|open|sent|acknowledged|current|started|notice|running|in[ _-]?progress|queued|new)$/,
  ],
];

export function toneOf(word: string): string {
  const plain = word.trim().toLowerCase();
  return plain && (words.find(([, pattern]) => pattern.test(plain))?.[0] ?? "neutral");
}
