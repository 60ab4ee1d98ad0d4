// Patterns of agents: judged as the browser's own engine would, and never in more than so many steps.

import { describe, expect, it } from "vitest";
import { inline } from "../../src/catalog/kit/markdown";
import { callFunction } from "../../src/draw/functions";
import { DataModel } from "../../src/draw/model";
import { judge, matchesPattern } from "../../src/draw/regex";
import { fieldOf, humanise } from "../../src/form/field";
import { toDateTime, toTime } from "../../src/form/moment";
import { textProblem } from "../../src/form/problems";
import { pointerOfViolation } from "../../src/form/violations";

const PLENTY = 1_000_000;
/** What reading one pattern may take at most. */
const READING = 20_000;

/** Patterns that keep a backtracking engine busy for longer than anybody lives, with what they are busy about. */
const catastrophic: readonly (readonly [string, string, boolean])[] = [
  ["^(a?){60}b$", "a".repeat(60), false],
  ["^(a?){60}b$", `${"a".repeat(60)}b`, true],
  ["^(a{0,3}){30}b$", "a".repeat(80), false],
  ["^(a+)+$", `${"a".repeat(60)}!`, false],
  ["(a*)*b", "a".repeat(5000), false],
  ["(a|a)*b", "a".repeat(5000), false],
  ["(a|aa)+$", `${"a".repeat(5000)}!`, false],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(5000), false],
  ["^(.*?,){25}P$", "1,".repeat(40), false],
  ["^(\\w+\\s?)*$", `${"word ".repeat(1000)}!`, false],
  ["^(?:x?|y?)*z$", "xy".repeat(2000), false],
  ["^([^ ]* ?)*!$", "a ".repeat(2000), false],
  ["((){99}){99}a", "b", false],
  ["^(?:)*$", "x", false],
  [`^${"a?".repeat(60)}${"a".repeat(60)}$`, "a".repeat(60), true],
  ["^.{0,900}$", "x".repeat(900), true],
  ["^.{0,900}$", "x".repeat(901), false],
];

describe("patterns", () => {
  it("of the worst kind are judged in a number of steps that is small", () => {
    for (const [pattern, value, expected] of catastrophic) {
      const budget = { left: PLENTY };
      expect(judge(pattern, value, budget), pattern).toBe(expected);
      expect(PLENTY - budget.left, pattern).toBeLessThan(PLENTY / 2);
    }
  });

  it("that cost too much, are of another kind or are none are left to the server", () => {
    for (const pattern of [
      "(a{1000}){1000}",
      "((((){1000}){1000}){1000}){1000}",
      "(((((a?){30}){30}){30}){30}){30}",
      "(?=a)b",
      "(?<!a)b",
      "(a)\\1",
      "(?<x>a)\\k<x>",
      "(",
      "a{2,1}",
      "(?i)a",
      "x".repeat(2000),
    ]) {
      const budget = { left: PLENTY };
      expect(judge(pattern, "b", budget), pattern).toBeUndefined();
      expect(PLENTY - budget.left, pattern).toBeLessThanOrEqual(READING + 1);
    }
    expect(judge(".*.*.*.*x", "y".repeat(10_000), { left: 1000 })).toBeUndefined();
    expect(judge("a", "a".repeat(20_000), { left: PLENTY })).toBeUndefined();
  });

  it("many at once take what a page can give in a second, and no more", () => {
    const costly = (index: number) => `(.*.*.*${index}){0,9}x`;
    const began = performance.now();
    for (let index = 0; index < 2000; index++) matchesPattern(costly(index), "y".repeat(9000));
    // Without a limit these are some 10^9 steps.
    expect(performance.now() - began).toBeLessThan(30_000);
  });

  it("random ones say of random texts what the browser's own engine says", () => {
    let seed = 20_261_123;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return (seed >>> 8) % below;
    };
    const one = <T>(list: readonly T[]): T => list[random(list.length)]!;
    const atoms = [
      ..."abé1 ",
      ".",
      "\\d",
      "\\w",
      "\\s",
      "\\W",
      "[ab]",
      "[^a]",
      "[a-c1]",
      "[\\]a]",
      "\\.",
      "\\u0061",
      "\\u{1F600}",
      "\\ud83d\\ude00",
      "\\x61",
      "\\p{L}",
      "\\P{Lu}",
      "😀",
      "[^\\p{L}]",
      "\\t",
    ];
    const repeats = ["", "", "", "?", "*", "+", "{2}", "{1,2}", "{0,2}", "{1,}", "*?", "{0}"];
    const make = (depth: number): string => {
      const parts = Array.from({ length: random(4) }, () => {
        const kind = random(depth > 0 ? 10 : 7);
        if (kind === 0) return one(["^", "$", "\\b", "\\B"]);
        if (kind < 7) return one(atoms) + one(repeats);
        return (
          one(["(", "(?:", "(?<n>"]).replace("n", `n${random(1e6)}`) +
          make(depth - 1) +
          ")" +
          one(repeats)
        );
      });
      return parts.join("") + (random(4) === 0 ? `|${make(Math.max(0, depth - 1))}` : "");
    };
    const letters = [..."aab1 é.A_-\n😀\t]"];
    let judged = 0;
    for (let round = 0; round < 2000; round++) {
      const pattern = make(3);
      let native: RegExp;
      try {
        native = new RegExp(pattern, "u");
      } catch {
        continue;
      }
      for (let text = 0; text < 4; text++) {
        const typed = Array.from({ length: random(7) }, () => one(letters)).join("");
        // Engines look for an empty match within a pair of surrogates, too, where there is no place between two letters.
        const value = pattern.includes("\\B") ? typed.replaceAll("😀", "") : typed;
        const verdict = judge(pattern, value, { left: PLENTY });
        judged += Number(verdict !== undefined);
        if (verdict !== undefined && verdict !== native.test(value))
          expect.fail(`${pattern} on ${JSON.stringify(value)}: ${verdict}`);
      }
    }
    expect(judged).toBeGreaterThan(6000);
  });

  it("that escape more than they have to are read as they were meant", () => {
    const matches = (pattern: string, value: string) => judge(pattern, value, { left: PLENTY });
    expect(matches("^[\\w-\\.]+\\@[\\w\\-]+\\.\\w+$", "ann@example.org")).toBe(true);
    expect(matches("^[\\w-\\.]+\\@[\\w\\-]+\\.\\w+$", "ann example.org")).toBe(false);
    expect(matches("^[^\\w-\\.]\\ $", "😀 ")).toBeUndefined();
    expect(matches("^\\p{L}\\@$", "é@")).toBeUndefined();
    expect(matches("a{1", "a{1")).toBe(true);
  });
});

describe("the product's own patterns", () => {
  it("take a time that grows with the text, whatever the text", () => {
    const starts = ["", "a@", "http:", "a.", "(", "[x](https://", "**", "_", "1-", "${", "A"];
    const middles = ["a", "a.", "a@", " ", "-", "_a", "*", "[", "1", "aA", "\n", "'", "${", "a-b_"];
    for (const start of starts)
      for (const middle of middles) {
        const text = `${start}${middle.repeat(20_000 / middle.length)}!`;
        for (const format of ["email", "uri", "url", "uuid", "date", undefined])
          textProblem(text, { format });
        toDateTime(text);
        toTime(text);
        humanise(text);
        inline(text);
        fieldOf({ type: "string" }, text, {});
        callFunction(
          "formatString",
          { value: `\${${text}}` },
          {
            model: new DataModel(),
            path: [],
            locale: "en",
          },
        );
        pointerOfViolation(`go.data${text}`, "go");
      }
  });
});
