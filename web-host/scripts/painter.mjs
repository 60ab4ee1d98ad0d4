// The painter of charts with very many points: a separate script, and what the guest needs to load it.

import { createHash } from "node:crypto";
import { build } from "vite";

/** Points up to which a chart is drawn as SVG, which can be read out and themed by itself. */
export const PAINTED_ABOVE = 2000;
/** Hex digits of a content hash in an address. */
const HASH_DIGITS = 12;

const definesFor = (file, integrity) => ({
  "process.env.NODE_ENV": '"production"',
  __PAINTER__: JSON.stringify({ file, integrity, above: PAINTED_ABOVE }),
});

/** For builds of the guest's parts that never use a painter. */
export const withoutPainter = definesFor("", "");

/** The script, and its hash for the build of the guest, which only ever runs this exact text. */
export async function painterOf(root, inlined) {
  const result = await build({
    root,
    configFile: false,
    logLevel: "warn",
    build: {
      write: false,
      target: "es2022",
      cssTarget: ["chrome123", "firefox128", "safari18"],
      minify: true,
      lib: {
        entry: `${root}src/painter/main.ts`,
        formats: ["iife"],
        name: "painter",
        fileName: "painter",
      },
    },
  });
  const [chunk, ...others] = [result].flat().flatMap(({ output }) => output);
  if (others.length > 0) throw new Error("the painter must build to one file");
  const code = inlined(chunk.code);
  const digest = createHash("sha256").update(code).digest();
  return {
    code,
    define: definesFor(
      `painter.${digest.toString("hex").slice(0, HASH_DIGITS)}.js`,
      `sha256-${digest.toString("base64")}`,
    ),
  };
}
