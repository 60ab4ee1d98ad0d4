import type { Clock } from "../../src/runtime/live/clock";
export declare class ManualClock implements Clock {
    #private;
    now(): number;
    random(): number;
    after(milliseconds: number, run: () => void): () => void;
    /** Lets time pass; everything that falls due runs in its order, with its promises settled. */
    pass(milliseconds: number): Promise<void>;
}
/** Lets promises that wait on nothing but each other run. */
export declare function settled(): Promise<void>;
