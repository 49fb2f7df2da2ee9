interface PendingEntry<Value> {
  readonly value: Value
  readonly bytes: number
}

/**
 * Values of nodes that are not stored yet; only the latest value of each node. If the values exceed
 * the limit in bytes, the oldest values are dropped.
 */
export class PendingValues<Value> {
  readonly #most: number
  readonly #held = new Map<string, PendingEntry<Value>>()
  #bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  /** The pending value of a node, if any. */
  get(certname: string): { readonly value: Value } | undefined {
    return this.#held.get(certname)
  }

  /** Iterates over the pending values by certname. */
  *entries(): Generator<readonly [string, Value]> {
    for (const [certname, { value }] of this.#held) yield [certname, value]
  }

  /** Holds a value until the returned function is called or a newer value replaces it. */
  hold(certname: string, value: Value, bytes: number): () => void {
    const held = { value, bytes }
    this.#drop(certname)
    this.#held.set(certname, held)
    this.#bytes += bytes
    for (const oldest of this.#held.keys()) {
      if (this.#bytes <= this.#most) break
      this.#drop(oldest)
    }
    return () => {
      if (this.#held.get(certname) === held) this.#drop(certname)
    }
  }

  #drop(certname: string): void {
    this.#bytes -= this.#held.get(certname)?.bytes ?? 0
    this.#held.delete(certname)
  }
}
