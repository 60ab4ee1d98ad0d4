// A file chosen by the person, read as a data URL, never larger than the cap.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ControlIds } from "../kit/labeled";
import "../kit/field-styles";
import { formStrings } from "../../form/strings";

const MAX_FILE_BYTES = 1_000_000;

export function FileInput({
  ids,
  value,
  onFile,
}: {
  ids: ControlIds;
  value: string;
  onFile: (dataUrl: string) => void;
}) {
  const [problem, setProblem] = useState("");
  const element = useRef<HTMLInputElement>(null);
  const reading = useRef<FileReader | undefined>(undefined);
  // A form that was reset has no file, and its field shows no file name.
  useLayoutEffect(() => {
    if (!value) element.current!.value = "";
  }, [value]);
  // A row of a list may move, or go, while its file is read.
  const latest = useRef(onFile);
  latest.current = onFile;
  useLayoutEffect(() => () => (reading.current = undefined), []);
  const choose = (input: HTMLInputElement) => {
    const file = input.files?.[0];
    // A large file may finish loading after one that was chosen later.
    reading.current = undefined;
    if (!file) return onFile("");
    if (file.size > MAX_FILE_BYTES) {
      input.value = "";
      setProblem(formStrings.fileTooBig);
      return onFile("");
    }
    const reader = new FileReader();
    reading.current = reader;
    reader.onload = () => {
      if (reading.current !== reader) return;
      setProblem("");
      latest.current(String(reader.result));
    };
    reader.readAsDataURL(file);
  };
  return (
    <>
      <input
        {...ids}
        ref={element}
        type="file"
        class="g-input"
        onChange={(event) => choose(event.currentTarget)}
      />
      {problem && (
        <span class="g-problem" role="alert">
          {problem}
        </span>
      )}
      {value.startsWith("data:image/") && (
        <img class="g-thumb" src={value} alt={formStrings.fileChosen} />
      )}
    </>
  );
}
