// The page of the stories: one component in all its states, below each other.

import { render } from "preact";
import { keepFocus } from "../../src/catalog/kit/kept-focus";
import { styles } from "../../src/catalog/styles";
import { StoryPage } from "../../stories/stage";

const style = document.createElement("style");
style.textContent = styles();
document.head.append(style);
const page = document.createElement("main");
page.className = "g-root";
document.body.append(page);
keepFocus();

Object.assign(globalThis, {
  /** Draws every state, and gives what went wrong. */
  showStory(name: string): string[] {
    const failures: unknown[] = [];
    render(<StoryPage name={name} failures={failures} />, page);
    return failures.map(String);
  },
});
