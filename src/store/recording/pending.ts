interface Held<Value> {
  readonly value: Value
  readonly bytes: number
}

/** News of nodes that are not stored yet, the last of each; within a bound of bytes, the newest. */
export class Pending<Value> {
  readonly #most: number
  readonly #held = new Map<string, Held<Value>>()
  #bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  /** The news of a node; `undefined` where there are none. */
  get(certname: string): { readonly value: Value } | undefined {
    return this.#held.get(certname)
  }

  /** By the names of nodes. */
  *entries(): Generator<readonly [string, Value]> {
    for (const [certname, { value }] of this.#held) yield [certname, value]
  }

  /** Holds a value until the function that is answered is called, or a newer one takes its place. */
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
