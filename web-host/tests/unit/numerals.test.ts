// Numbers that are written without Intl are written as Intl writes them.

import { describe, expect, it } from "vitest";
import { formatNumeral } from "../../src/draw/format";
import { plainNumeral } from "../../src/draw/numeral";

const locales =
  "en en-US en-GB en-CA en-AU en-NZ en-IE ja ja-JP ko ko-KR zh zh-CN de de-DE nl nl-NL da da-DK id id-ID".split(
    " ",
  );
const amounts = [
  0,
  -0,
  1,
  -1,
  7.5,
  -7.25,
  12,
  999,
  1000,
  -1000,
  1234.5,
  10_000,
  99_999.125,
  1_234_567.891,
  0.1,
  0.0005,
  1.005,
  1e-7,
  1e20,
  1e21,
  2 ** 53,
  Number.MAX_VALUE,
];

describe("a plain number", () => {
  it("comes out as Intl writes it, in every locale, or is left to Intl", () => {
    let plain = 0;
    for (const locale of locales)
      for (const amount of amounts)
        for (const [minimum, maximum] of [
          [0, 3],
          [2, 2],
          [0, 0],
          [0, 1],
        ] as const)
          for (const grouped of [true, false]) {
            const written = plainNumeral(amount, locale, minimum, maximum, grouped);
            if (written === undefined) continue;
            plain++;
            expect(written).toBe(
              new Intl.NumberFormat(locale, {
                useGrouping: grouped,
                minimumFractionDigits: minimum,
                maximumFractionDigits: maximum,
              }).format(amount),
            );
          }
    expect(plain).toBeGreaterThan(1000);
    expect(plainNumeral(7.5, "en", 2, 2, true)).toBe("7.50");
  });
  it("is left to Intl where it has to be rounded or its language writes it otherwise", () => {
    for (const [amount, locale] of [
      [1.0005, "en"],
      [1e-7, "en"],
      [-0, "en"],
      [7, "ar-EG"],
      [12_345, "en-IN"],
      [1234, "es"],
      [7, "constructor"],
    ] as const)
      expect(plainNumeral(amount, locale, 0, 3, true)).toBeUndefined();
    expect(formatNumeral(1.00055, "en")).toBe("1.001");
    expect(formatNumeral(1_234_567, "en-IN")).toBe("12,34,567");
    expect(formatNumeral(7, "ar-EG")).toBe("٧");
  });
  it("keeps one digit more than there would be room for, and rounds where there are others", () => {
    expect(formatNumeral(0.9214, "en")).toBe("0.9214");
    expect(formatNumeral(0.03125 * 100, "en", undefined, undefined, 2)).toBe("3.125");
    expect(formatNumeral(21.837_45, "en")).toBe("21.837");
    expect(formatNumeral(0.1 + 0.2, "en")).toBe("0.3");
  });
});
