import { type Signal } from "@preact/signals";
import { act } from "preact/test-utils";
import type { ActionState } from "../../src/draw/context";
import { DataModel } from "../../src/draw/model";
import type { Json } from "../../src/wire/json";
export interface Fired {
    readonly control: string;
    readonly name: string;
    readonly data: Json;
}
export declare function view(...components: object[]): {
    version: string;
    catalogId: string;
    view: {
        components: object[];
    };
};
export declare function draw(components: object[], props?: Record<string, Json>, context?: Record<string, Json>): Promise<{
    root: HTMLElement;
    model: DataModel;
    fired: Fired[];
    failures: unknown[];
    state: (control: string) => Signal<ActionState>;
    text: () => string;
}>;
export declare function type(input: Element | null, value: string): Promise<void>;
export declare function press(element: Element | null): Promise<void>;
export { act };
