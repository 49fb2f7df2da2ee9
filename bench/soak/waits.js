// How long honest requests waited, by kind, and which of them failed.

/** Milliseconds that an honest request may wait beside hostile clients: twice its median alone, and two seconds. */
export const limitOf = (alone) => 2 * alone.median + 2000

/** A wait that no honest request should have. */
const longMs = 2500

/** A collection of answers; what goes wrong is told at once. */
export function newWaits(wentWrong) {
  const byKind = new Map()
  return {
    add({ kind, ms, failure, certname }) {
      const known = byKind.get(kind) ?? { times: [], failures: 0 }
      byKind.set(kind, known)
      if (ms !== undefined) known.times.push(ms)
      if (ms > longMs && kind !== 'run') wentWrong(`${kind} took ${Math.round(ms)} ms`)
      if (failure === undefined) return
      known.failures++
      wentWrong(`${kind}${certname ? ` of ${certname}` : ''} failed: ${failure}`)
    },
    summary: () =>
      Object.fromEntries([...byKind].map(([kind, { times, failures }]) => [kind, { ...spread(times), failures }])),
  }
}

function spread(times) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  return { count: sorted.length, median: at(0.5), p99: at(0.99), most: at(1) }
}
