/** `Did you mean …?`, or undefined if no known name is similar. */
export function formatSuggestion(given: string, known: Iterable<string>): string | undefined {
  const name = findNearestName(given, known)
  return name === undefined ? undefined : `Did you mean '${name}'?`
}

/**
 * The most similar known name, other than the given one, with at most a third of its characters
 * wrong.
 */
export function findNearestName(given: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.max(1, Math.floor(given.length / 3)) + 1
  for (const name of known) {
    if (name === given || Math.abs(name.length - given.length) >= least) continue
    const edits = computeEditDistance(given, name)
    if (edits < least) {
      least = edits
      best = name
    }
  }
  return best
}

/** Levenshtein distance; a swap of adjacent characters counts as one edit. */
function computeEditDistance(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let edits = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) edits = Math.min(edits, before[j - 2]! + 1)
      row.push(edits)
    }
    before = above
    above = row
  }
  return above[b.length]!
}
