// Pages of the stage: changes that are put together, and texts as they are drawn.

import { render } from "preact";
import { describe, expect, it } from "vitest";
import { joined, merge } from "../../src/stage/library/merge";
import { linkFrom, plain, Text, truthOf } from "../../src/stage/library/text";
import { act } from "./mount";

describe("two changes of one text", () => {
  const conflicts = (base: string, mine: string, theirs: string) =>
    merge(base, mine, theirs).filter((part) => !("lines" in part)).length;

  it("are both there where they changed other lines", () => {
    for (const [base, mine, theirs, both] of [
      ["a\nb\nc", "a\nb\nX", "Y\nb\nc", "Y\nb\nX"],
      ["a\nb\nc", "a\nc", "a\nb\nc\nd", "a\nc\nd"],
      ["", "mine", "", "mine"],
      ["a", "a", "b", "b"],
      ["a\nb", "x\na\nb", "a\nb\ny", "x\na\nb\ny"],
      ["a\nb\nc\nd", "a\nd", "a\nb\nc\nd", "a\nd"],
      ["a\nb", "same\nb", "same\nb", "same\nb"],
    ] as const) {
      expect(joined(merge(base, mine, theirs), []), `${base} | ${mine} | ${theirs}`).toBe(both);
    }
  });

  it("are chosen between where they changed the same ones", () => {
    const parts = merge("a\nb\nc", "a\nmine\nc", "a\ntheirs\nc");
    expect(conflicts("a\nb\nc", "a\nmine\nc", "a\ntheirs\nc")).toBe(1);
    expect(joined(parts, ["mine"])).toBe("a\nmine\nc");
    expect(joined(parts, ["theirs"])).toBe("a\ntheirs\nc");
    expect(joined(parts, ["both"])).toBe("a\nmine\ntheirs\nc");
  });

  it("never lose a line of either, whatever they are", () => {
    let seed = 7;
    const below = (end: number) => {
      seed = (seed * 48271) % 2147483647;
      return seed % end;
    };
    for (let round = 0; round < 500; round++) {
      const base = Array.from({ length: below(6) }, () => "abc"[below(3)]!);
      const changed = (name: string) => {
        const lines = [...base];
        for (let change = below(3); change >= 0; change--)
          lines.splice(below(lines.length + 1), below(2), `${name}${change}`);
        return lines;
      };
      const [mine, theirs] = [changed("m"), changed("t")];
      const parts = merge(base.join("\n"), mine.join("\n"), theirs.join("\n"));
      const whole = joined(parts, Array(base.length + 2).fill("both")).split("\n");
      for (const line of [...mine, ...theirs].filter((line) => line.length > 1))
        expect(whole, `${base} | ${mine} | ${theirs}`).toContain(line);
      const own = joined(merge(base.join("\n"), mine.join("\n"), base.join("\n")), []);
      expect(own).toBe(mine.join("\n"));
    }
  });
});

describe("the text of a page", () => {
  it("has headings, links to pages, and no HTML", async () => {
    const root = document.createElement("div");
    const source =
      "# Ida\n\n## Facts\nSee [[acme|the *firm*]] and [[work::bo]].\n\n<b>no</b>\n```\n# code\n```";
    const text = <Text source={source} title="Ida" page={linkFrom("home::ida")} />;
    await act(() => render(text, root));
    expect(root.querySelector("h2")!.textContent).toBe("Facts");
    expect(root.querySelectorAll("h1, h2, h3")).toHaveLength(1);
    const links = [...root.querySelectorAll("a")].map((link) => link.getAttribute("href"));
    expect(links).toEqual(["#page=home%3A%3Aacme", "#page=work%3A%3Abo"]);
    expect(root.querySelector("b")).toBeNull();
    expect(root.querySelector("pre")!.textContent).toContain("# code");
  });

  it("ends where its timeline begins", () => {
    expect(truthOf("a\n---\n- 2026 b\n---\nc")).toBe("a");
    expect(truthOf("a --- b")).toBe("a --- b");
  });
});

it("says of a page in a list what it says, without the marks", () => {
  for (const [written, said] of [
    ["The **best** is `Sidamo`.", "The best is Sidamo."],
    ["See [[kitchen/grinder|the grinder]] and [[notes]].", "See the grinder and notes."],
    ["See [[kitchen/grinder|the", "See the"],
    ["See [the map](https://maps.example/a) at 2 * 3", "See the map at 2 * 3"],
  ] as const)
    expect(plain(written)).toBe(said);
});
