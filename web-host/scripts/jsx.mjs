// How JSX is compiled, the same in the builds and in the tests: calls of `h` with their children as
// arguments, smaller than those of the automatic runtime. The names are such that no source hides them.

/** @type {import("vite").OxcOptions} */
export const oxc = {
  jsx: { runtime: "classic", pragma: "$element", pragmaFrag: "$together" },
  jsxInject: 'import { Fragment as $together, h as $element } from "preact"',
};
