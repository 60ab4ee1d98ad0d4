// The action that takes what is chosen, answered or said within a component.

export interface Pick {
  readonly action: string;
  readonly label: string;
  readonly to: string;
  readonly field?: string;
  readonly several?: boolean;
  readonly confirm?: boolean;
  readonly variant?: string;
  readonly fixed?: { readonly [payloadKey: string]: string };
  readonly as?: string;
  readonly row?: string;
  readonly column?: string;
}
