/**
 * Byte patterns that are searched together in one pass, in time linear to the input. The automaton is that of Aho and
 * Corasick ("Efficient String Matching", 1975); children are linked lists, so that a byte of a pattern takes 18 bytes of
 * memory. Near the root, bytes are skipped by the table of Wu and Manber ("A Fast Algorithm for Multi-Pattern
 * Searching", 1994).
 */
export class BytePatterns {
  /** Length of the shortest pattern, or `longestWindow`. Every pattern starts with a window. */
  readonly #window: number
  /** By the hash of the last block of a window: the distance to the next window at which a pattern may start. */
  readonly #skips: Uint8Array
  readonly #children: Int32Array
  readonly #siblings: Int32Array
  readonly #labels: Uint8Array
  /** For each node, the node of its longest proper suffix. */
  readonly #suffixes: Int32Array
  /** For each node, the first node of its suffix chain, itself included, at which a pattern ends; 0 if there is none. */
  readonly #ends: Int32Array
  /** For each node, the number of bytes on the path to it; 255 for more. */
  readonly #depths: Uint8Array
  readonly #patterns = new Map<number, number>()
  readonly #roots = new Int32Array(256)

  /** The patterns are distinct and have at least three bytes. */
  constructor(patterns: readonly Uint8Array[]) {
    const most = patterns.reduce((sum, { length }) => sum + length, 1)
    this.#children = new Int32Array(most)
    this.#siblings = new Int32Array(most)
    this.#labels = new Uint8Array(most)
    this.#depths = new Uint8Array(most)
    this.#window = patterns.reduce((least, { length }) => Math.min(least, length), longestWindow)
    this.#skips = new Uint8Array(2 ** 16).fill(this.#window - blockBytes + 1)
    let count = 1
    for (const [index, pattern] of patterns.entries()) {
      count = this.#add(pattern, index, count)
      for (let last = 2; last < this.#window; last++) {
        const hash = hashBlock(pattern[last - 2]!, pattern[last - 1]!, pattern[last]!)
        this.#skips[hash] = Math.min(this.#skips[hash]!, this.#window - 1 - last)
      }
    }
    this.#suffixes = new Int32Array(count)
    this.#ends = new Int32Array(count)
    this.#link(count)
  }

  /** Starts the search of one input. */
  start(): BytePatternSearch {
    let state = 0
    const found = new Set<number>()
    const visited = new Set<number>()
    return {
      found,
      feed: (bytes) => {
        state = this.#scan(bytes, state, (end) => this.#collect(end, visited, found))
      },
    }
  }

  /** Adds a pattern to the trie that has `count` nodes; returns the new number of nodes. */
  #add(pattern: Uint8Array, index: number, count: number): number {
    let node = 0
    let next = count
    for (const byte of pattern) {
      let child = this.#findChild(node, byte)
      if (child === 0) {
        child = next++
        this.#labels[child] = byte
        this.#depths[child] = Math.min(255, this.#depths[node]! + 1)
        this.#siblings[child] = this.#children[node]!
        this.#children[node] = child
        if (node === 0) this.#roots[byte] = child
      }
      node = child
    }
    this.#patterns.set(node, index)
    return next
  }

  /** Sets the suffix of each node, breadth first. */
  #link(count: number): void {
    const queue = new Int32Array(count)
    let length = 1
    for (let at = 0; at < length; at++) {
      const node = queue[at]!
      for (let child = this.#children[node]!; child !== 0; child = this.#siblings[child]!) {
        queue[length++] = child
        const suffix = node === 0 ? 0 : this.#step(this.#suffixes[node]!, this.#labels[child]!)
        this.#suffixes[child] = suffix
        this.#ends[child] = this.#patterns.has(child) ? child : this.#ends[suffix]!
      }
    }
  }

  #findChild(node: number, byte: number): number {
    if (node === 0) return this.#roots[byte]!
    let child = this.#children[node]!
    while (child !== 0 && this.#labels[child] !== byte) child = this.#siblings[child]!
    return child
  }

  /** The node after a byte. */
  #step(from: number, byte: number): number {
    let node = from
    for (;;) {
      const child = this.#findChild(node, byte)
      if (child !== 0 || node === 0) return child
      node = this.#suffixes[node]!
    }
  }

  /** Scans bytes from a node; returns the last node, at which the scan of the following bytes continues. */
  #scan(bytes: Uint8Array, from: number, onEnd: (end: number) => void): number {
    const ends = this.#ends
    const depths = this.#depths
    const { length } = bytes
    let node = from
    let at = 0
    while (at < length) {
      // A node near the root is abandoned if no pattern starts at its first byte.
      const start = at - depths[node]!
      if (start >= 0 && at - start < blockBytes) {
        const next = this.#skip(bytes, start)
        if (next > start) {
          node = 0
          at = next
          if (at >= length) return 0
        }
      }
      node = this.#step(node, bytes[at++]!)
      if (ends[node] !== 0) onEnd(ends[node]!)
    }
    return node
  }

  /** Returns the first offset, not before `at`, at which a pattern may start. */
  #skip(bytes: Uint8Array, from: number): number {
    const skips = this.#skips
    const ahead = this.#window - 1
    const last = bytes.length - 1
    let end = from + ahead
    while (end <= last) {
      const skip = skips[hashBlock(bytes[end - 2]!, bytes[end - 1]!, bytes[end]!)]!
      if (skip === 0) break
      end += skip
    }
    return end - ahead
  }

  /** Adds the patterns of a suffix chain. Each node is visited once for an input, so that many matches cost no more. */
  #collect(end: number, visited: Set<number>, found: Set<number>): void {
    for (let node = end; node !== 0 && !visited.has(node); node = this.#ends[this.#suffixes[node]!]!) {
      visited.add(node)
      found.add(this.#patterns.get(node)!)
    }
  }
}

/** The search of one input, whose bytes arrive in parts. */
export interface BytePatternSearch {
  feed(bytes: Uint8Array): void
  /** Indices of the patterns found so far. */
  readonly found: ReadonlySet<number>
}

/** Number of bytes whose hash decides how many bytes are skipped. */
const blockBytes = 3
/** Maximum size of a window in bytes; more bytes would be skipped in texts that contain few patterns only. */
const longestWindow = 64

/** Hashes a block to 16 bits. */
function hashBlock(first: number, second: number, third: number): number {
  return Math.imul((first << 16) | (second << 8) | third, 0x9e3779b1) >>> 16
}
