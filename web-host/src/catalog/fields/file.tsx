// A file chosen by the person, read as a data URL, never larger than the cap.

import { useState } from "preact/hooks";
import { guestStrings as say } from "../../strings";
import type { ControlIds } from "../kit/labeled";

export const MAX_FILE_BYTES = 1_000_000;

export function FileInput({ ids, value, onFile }: { ids: ControlIds; value: string; onFile: (dataUrl: string) => void }) {
  const [problem, setProblem] = useState("");
  const choose = (input: HTMLInputElement) => {
    const file = input.files?.[0];
    if (!file) return onFile("");
    if (file.size > MAX_FILE_BYTES) {
      input.value = "";
      setProblem(say.fileTooBig);
      return onFile("");
    }
    const reader = new FileReader();
    reader.onload = () => {
      setProblem("");
      onFile(String(reader.result));
    };
    reader.readAsDataURL(file);
  };
  return (
    <>
      <input {...ids} type="file" class="g-input" onChange={(event) => choose(event.currentTarget)} />
      {problem && <span class="g-problem" role="alert">{problem}</span>}
      {value.startsWith("data:image/") && <img class="g-thumb" src={value} alt={say.fileChosen} />}
    </>
  );
}
