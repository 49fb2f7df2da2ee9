// What a fleet heard: times by kind of request, what was wrong, and where catalogs came from.

/** Collects the answers of a fleet. */
export class Figures {
  #times = new Map()
  #origins = new Map()
  #errors = []
  runs = 0
  /** Milliseconds by which runs began late, at most: the generator's own fault. */
  late = 0

  heard({ kind, ms, failure }) {
    const times = this.#times.get(kind) ?? []
    times.push(ms)
    this.#times.set(kind, times)
    if (failure !== undefined) this.#errors.push(`${kind}: ${failure}`)
  }

  /** Notes how a catalog came about. */
  origin(origin, ms) {
    const times = this.#origins.get(origin) ?? []
    times.push(ms)
    this.#origins.set(origin, times)
  }

  get errors() {
    return this.#errors
  }

  /** Rows of a table: number, median, p99 and most of each kind. */
  rows() {
    return [
      ...[...this.#times].map(([kind, times]) => row(kind, times)),
      ...[...this.#origins].map(([origin, times]) => row(`catalogs that were ${origin}`, times)),
    ]
  }

  share(origin) {
    const all = [...this.#origins.values()].reduce((sum, times) => sum + times.length, 0)
    return all === 0 ? 0 : (this.#origins.get(origin)?.length ?? 0) / all
  }
}

function row(what, times) {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return [what, String(sorted.length), ...[at(0.5), at(0.99), sorted.at(-1)].map((value) => value.toFixed(1))]
}
