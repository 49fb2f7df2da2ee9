/**
 * Combines the shares of a secret (Shamir's secret sharing) byte by byte in the field GF(2^8) of AES. The last byte of a
 * share is its x coordinate. Undefined if the shares cannot belong together. SOPS: shamir/shamir.go.
 */
export function combineShares(shares: readonly Buffer[]): Buffer | undefined {
  const length = (shares[0]?.length ?? 0) - 1
  const xs = shares.map((share) => share.at(-1) ?? 0)
  if (length < 1 || shares.some((share) => share.length !== length + 1) || new Set(xs).size !== xs.length)
    return undefined
  const weights = xs.map((x) =>
    xs.filter((other) => other !== x).reduce((product, other) => multiply(product, divide(other, other ^ x)), 1),
  )
  return Buffer.from(
    Array.from({ length }, (_, at) =>
      shares.reduce((sum, share, index) => sum ^ multiply(share[at]!, weights[index]!), 0),
    ),
  )
}

/** Multiplies two elements of the field, modulo x^8 + x^4 + x^3 + x + 1. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let factor = a, rest = b; rest > 0; rest >>= 1) {
    if (rest & 1) product ^= factor
    factor = (factor << 1) ^ (factor & 0x80 ? 0x11b : 0)
  }
  return product
}

/** Divides by an element other than zero, whose inverse is its power of 254. */
function divide(a: number, b: number): number {
  let inverse = 1
  for (let time = 0; time < 254; time++) inverse = multiply(inverse, b)
  return multiply(a, inverse)
}
