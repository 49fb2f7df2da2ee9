/** Compares texts by code point. This order equals Ruby's order of UTF-8 bytes. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at)
    const right = b.charCodeAt(at)
    if (left !== right) return rankCodeUnit(left) < rankCodeUnit(right) ? -1 : 1
  }
  return a.length < b.length ? -1 : 1
}

/** Ranks surrogates above all other UTF-16 units, because they encode the highest code points. */
function rankCodeUnit(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
