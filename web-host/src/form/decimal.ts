// Exact decimal arithmetic for multipleOf, where binary fractions would refuse 0.3 as a multiple of
// 0.1.

function scaled(value: number): { digits: bigint; exponent: number } {
  const [mantissa = "0", power = "0"] = value.toString().toLowerCase().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

export function isMultipleOf(value: number, step: number): boolean {
  if (!Number.isFinite(value) || !Number.isFinite(step) || step <= 0) return true;
  const left = scaled(value);
  const right = scaled(step);
  const exponent = Math.min(left.exponent, right.exponent);
  if (Math.max(left.exponent, right.exponent) - exponent > 400) return true;
  const raise = (part: { digits: bigint; exponent: number }) =>
    part.digits * 10n ** BigInt(part.exponent - exponent);
  return raise(left) % raise(right) === 0n;
}
