/** A priority queue that returns the least element first. */
export class Heap<Element> {
  readonly #elements: Element[] = []
  readonly #compare: (a: Element, b: Element) => number

  constructor(compare: (a: Element, b: Element) => number) {
    this.#compare = compare
  }

  get size(): number {
    return this.#elements.length
  }

  push(element: Element): void {
    const elements = this.#elements
    let at = elements.push(element) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#compare(elements[parent]!, element) <= 0) break
      elements[at] = elements[parent]!
      at = parent
    }
    elements[at] = element
  }

  /** Removes and returns the least element. */
  pop(): Element | undefined {
    const elements = this.#elements
    const least = elements[0]
    const last = elements.pop()
    if (elements.length === 0 || last === undefined) return least
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= elements.length) break
      if (child + 1 < elements.length && this.#compare(elements[child + 1]!, elements[child]!) < 0) child++
      if (this.#compare(last, elements[child]!) <= 0) break
      elements[at] = elements[child]!
      at = child
    }
    elements[at] = last
    return least
  }
}
