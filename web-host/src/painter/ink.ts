// The current colours and fonts of the page, in the form a canvas understands.

export class Ink {
  readonly #probe = document.createElement("i");
  readonly #known = new Map<string, string>();
  readonly #away = new AbortController();
  readonly #themes: MutationObserver;

  /** `changed` is called when the same CSS values may mean other colours or fonts. */
  constructor(box: HTMLElement, changed: () => void) {
    this.#probe.hidden = true;
    box.append(this.#probe);
    const renew = () => {
      this.#known.clear();
      changed();
    };
    const { signal } = this.#away;
    for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"])
      matchMedia(query).addEventListener("change", renew, { signal });
    document.fonts.addEventListener("loadingdone", renew, { signal });
    // A host's theme stands in the attributes of the root element.
    this.#themes = new MutationObserver(renew);
    this.#themes.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ["data-theme", "style", "class"],
    });
  }

  /** What a colour written in CSS is here. */
  color(css: string): string {
    const known = this.#known.get(css);
    if (known !== undefined) return known;
    this.#probe.style.color = css;
    const { color } = getComputedStyle(this.#probe);
    this.#known.set(css, color);
    return color;
  }

  get font(): string {
    return `12px ${getComputedStyle(this.#probe).fontFamily}`;
  }

  end(): void {
    this.#away.abort();
    this.#themes.disconnect();
    this.#probe.remove();
  }
}
