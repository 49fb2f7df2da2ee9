/** The Ruby files whose functions ours equal, by SHA-256; `scripts/prove-stdlib.js` writes it. */
export const proven: Readonly<Record<string, readonly string[]>> = {}
