// Memoises a component: it is drawn again only when one of its properties changes.

import { Component, type ComponentType } from "preact";

export function memo<Props extends object>(
  Drawn: (props: Props) => preact.ComponentChildren,
): ComponentType<Props> {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const keys = Object.keys(next) as (keyof Props)[];
      return keys.some((key) => next[key] !== this.props[key]);
    }
    override render() {
      const Inner = Drawn as ComponentType<Props>;
      return <Inner {...(this.props as Props)} />;
    }
  };
}
