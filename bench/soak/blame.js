// Which hostile kinds were at work when something went wrong.

/** Milliseconds for which an act that is over may still be what went wrong. */
const afterwardsMs = 3000
/** An event loop that stood still for so long is worth a line. */
const pauseMs = 100
const keptIncidents = 500

/** What hostile clients did, and what went wrong meanwhile. */
export function newBlame(say) {
  const known = new Map()
  const lastSaid = new Map()
  const incidents = []
  const of = (kind) => {
    if (!known.has(kind))
      known.set(kind, { acts: 0, outcomes: {}, begun: undefined, ended: 0, incidents: 0, longestPause: 0 })
    return known.get(kind)
  }
  const atWork = (since) =>
    [...known].filter(([, { begun, ended }]) => begun !== undefined || ended > performance.now() - afterwardsMs - since)
  const incident = (what, since = 0) => {
    const kinds = atWork(since)
    for (const [, each] of kinds) each.incidents++
    const names = kinds.map(([name]) => name)
    if (incidents.length < keptIncidents) incidents.push({ at: new Date().toISOString(), what, kinds: names })
    // Words alike are said every few seconds only; all are kept.
    const alike = what.replace(/\d+/g, '')
    if (performance.now() < lastSaid.get(alike) + afterwardsMs) return
    lastSaid.set(alike, performance.now())
    say(`${what}${names.length > 0 ? ` (at work: ${names.join(', ')})` : ''}`)
  }
  return {
    incidents,
    /** @type {string[]} */
    breaches: [],
    /** @type {string[]} */
    lost: [],
    incident,
    paused(ms) {
      for (const [, each] of atWork(ms)) each.longestPause = Math.max(each.longestPause, Math.round(ms))
      if (ms >= pauseMs) incident(`The event loop stood still for ${Math.round(ms)} ms`, ms)
    },
    hear({ kind, event, outcome = [], breach, code }) {
      const each = of(kind)
      if (event === 'begins') {
        each.acts++
        each.begun = performance.now()
        return
      }
      each.begun = undefined
      each.ended = performance.now()
      for (const word of outcome) each.outcomes[word] = (each.outcomes[word] ?? 0) + 1
      if (event === 'lost') this.lost.push(`The hostile client of ${kind} ended with status ${code}`)
      if (event !== 'breach') return
      const text = `${kind}: ${breach}`
      if (!this.breaches.includes(text)) this.breaches.push(text)
      each.outcomes.breach = (each.outcomes.breach ?? 0) + 1
    },
    summary: () => Object.fromEntries([...known].map(([kind, { begun, ended, ...rest }]) => [kind, rest])),
  }
}
