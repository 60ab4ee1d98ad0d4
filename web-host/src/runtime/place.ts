// Where a person has scrolled to, kept while another view takes the place of the one that is shown.

const COMPONENTS = "[data-component]";

/** All that may be scrolled, each by its component, its class, and its number among those alike. */
function named(): [string, Element][] {
  const counts: Record<string, number> = {};
  return [...document.querySelectorAll(`${COMPONENTS}, ${COMPONENTS} *`)].map((element) => {
    const { component } = element.closest<HTMLElement>(COMPONENTS)!.dataset;
    const alike = `${component} ${element.className}`;
    counts[alike] = (counts[alike] ?? 0) + 1;
    return [`${alike} ${counts[alike]}`, element];
  });
}

/** Notes what is scrolled, the page and what is within it; what it gives goes back there. */
export function place(): () => void {
  const page = { left: scrollX, top: scrollY };
  const scrolled = named().map(
    ([name, { scrollLeft: left, scrollTop: top }]) => [name, { left, top }] as const,
  );
  const places = new Map(scrolled.filter(([, { left, top }]) => left || top));
  return () => {
    for (const [name, element] of named()) {
      const at = places.get(name);
      if (at) element.scrollTo({ ...at, behavior: "instant" });
    }
    scrollTo({ ...page, behavior: "instant" });
  };
}
