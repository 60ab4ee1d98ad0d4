// The data exchanged between a chart and its painter.

/** A name below the axis, at the place of a point. */
export interface Stop {
  readonly at: number;
  readonly name: string;
}

export interface Picture {
  readonly kind: "line" | "area" | "bar";
  /** The values of each series, one a point; null where there is none. */
  readonly columns: readonly (readonly (number | null)[])[];
  readonly scale: { readonly min: number; readonly max: number; readonly ticks: readonly number[] };
  /** What stands beside each tick of the scale, and the pixels it needs. */
  readonly tickNames: readonly string[];
  readonly left: number;
  /** Pixels. */
  readonly height: number;
  /** What stands below the points from one to another where there are so many pixels. */
  stops(from: number, to: number, room: number): readonly Stop[];
}

/** From one point to another, both included. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

export interface PaintListener {
  /** The point the person looks at, and how many pixels from the left it is. */
  read(at: number | null, left: number): void;
  /** What is shown, where that is not all. */
  shown(part: Part | null): void;
}

export interface Painting {
  repaint(picture: Picture): void;
  /** Marks a point, wherever it is; null for none. */
  read(at: number | null): void;
  /** Shows a part as near as it can be shown, or everything. */
  show(part: Part | null): void;
  end(): void;
}

export type Paint = (box: HTMLElement, picture: Picture, listener: PaintListener) => Painting;

/** The name under which the painter's script leaves itself in the page. */
export const PAINTER = "__PROSCENIUM_PAINTER__";
