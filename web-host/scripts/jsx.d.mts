/** @type {import("vite").OxcOptions} */
export declare const oxc: import("vite").OxcOptions;
