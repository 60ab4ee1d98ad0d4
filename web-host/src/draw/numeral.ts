// Formats most numbers without Intl, whose first use costs a page more than all the rest of its
// first paint. Numbers that might come out differently are left to Intl.

/**
 * The decimal mark and the one between thousands, where digits are Latin and a group is three of
 * them.
 */
const marks: { readonly [locale: string]: string } = {
  ...all(".,", "en en-US en-GB en-CA en-AU en-NZ en-IE ja ja-JP ko ko-KR zh zh-CN"),
  ...all(",.", "de de-DE nl nl-NL da da-DK id id-ID"),
};

function all(pair: string, locales: string): { readonly [locale: string]: string } {
  return Object.fromEntries(locales.split(" ").map((locale) => [locale, pair]));
}

/**
 * Undefined where the number has to be rounded, is written with an exponent, or the locale is
 * another one.
 */
export function plainNumeral(
  amount: number | bigint,
  locale: string,
  minimum: number,
  maximum: number,
  grouped: boolean,
): string | undefined {
  const pair = Object.hasOwn(marks, locale) ? marks[locale]! : undefined;
  const [, sign, whole, part = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(amount)) ?? [];
  if (!pair || whole === undefined || part.length > maximum || Object.is(amount, -0))
    return undefined;
  const decimals = part.padEnd(minimum, "0");
  const digits = grouped ? whole.replace(/\B(?=(\d{3})+$)/g, pair[1]!) : whole;
  return sign + digits + (decimals && pair[0] + decimals);
}
