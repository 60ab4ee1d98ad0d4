// Stars: a rating as it is read, and as it is given.

import { useId } from "preact/hooks";
import { formatNumeral } from "../../draw/format";
import { guestStrings as say } from "../../strings";
import { addStyles } from "../styles";
import css from "../styles/stars.css?inline";
import { Icon } from "./icons";

addStyles(css);

const MAX = 10;

export function Stars({ value, locale }: { value: number; locale: string }) {
  const filled = Math.min(Math.max(Math.round(value), 0), 5);
  return (
    <span class="g-stars" role="img" aria-label={say.stars(formatNumeral(value, locale))}>
      {Array.from({ length: 5 }, (_, index) => (
        <i key={index} data-on={index < filled || undefined}>
          <Icon name="star" />
        </i>
      ))}
      <span> {formatNumeral(value, locale)}</span>
    </span>
  );
}

interface StarsInputProps {
  readonly value: number | undefined;
  readonly max: number;
  readonly onChoose: (value: number | undefined) => void;
}

export function StarsInput({ value, max, onChoose }: StarsInputProps) {
  const name = useId();
  return (
    <span class="g-stars g-stars-input">
      {Array.from({ length: Math.min(Math.max(max, 1), MAX) }, (_, index) => index + 1).map(
        (star) => (
          <label key={star} data-on={(value !== undefined && star <= value) || undefined}>
            <input
              type="radio"
              name={name}
              checked={value === star}
              onChange={() => onChoose(star)}
              aria-label={say.stars(String(star))}
            />
            <Icon name="star" />
          </label>
        ),
      )}
    </span>
  );
}
