// The type declarations of a module and everything they refer to, as one file without imports.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** `path` for everything a file exports, `path:Name` for one type of it. */
export function declarationsOf(root, sources) {
  const out = mkdtempSync(join(tmpdir(), "declarations-"));
  try {
    const config = [
      "--declaration",
      "--emitDeclarationOnly",
      "--noEmit",
      "false",
      "--rootDir",
      ".",
      "--outDir",
      out,
    ];
    execFileSync(
      process.execPath,
      [join(root, "node_modules/typescript/bin/tsc"), "-p", root, ...config],
      { cwd: root, stdio: "inherit" },
    );
    const texts = sources.map((source) => {
      const [path, name] = source.split(":");
      const text = readFileSync(join(out, path.replace(/\.ts$/, ".d.ts")), "utf8");
      if (!name) return text.replace(/^import .*;\n/gm, "").trim();
      const found = new RegExp(
        `^export (?:interface ${name} \\{\\n[^]*?^\\}|type ${name} = [^]*?;$)`,
        "m",
      ).exec(text);
      if (!found) throw new Error(`${path} declares no ${name}`);
      return found[0];
    });
    return `${texts.join("\n\n")}\n`;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
