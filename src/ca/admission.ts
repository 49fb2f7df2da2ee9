import { fail } from '../base/issue.ts'
import { overloads } from './issues.ts'

/** Bounds of the work under way, in all and for one address. */
export interface AdmissionBounds {
  readonly all: number
  readonly each: number
}

/** Lets work begin as long as there is not too much of it under way; turns the rest away instead of queueing it. */
export class Admission {
  readonly #bounds: AdmissionBounds
  readonly #underWay = new Map<string, number>()
  #count = 0

  constructor(bounds: AdmissionBounds) {
    this.#bounds = bounds
  }

  /** Does `work`; throws AUTHORITY_BUSY where too much is under way. `from` is the address of who asks. */
  async run<Result>(from: string, work: () => Promise<Result>): Promise<Result> {
    const own = this.#underWay.get(from) ?? 0
    if (this.#count >= this.#bounds.all || own >= this.#bounds.each) fail(overloads.AUTHORITY_BUSY, {})
    this.#count++
    this.#underWay.set(from, own + 1)
    try {
      return await work()
    } finally {
      this.#count--
      const left = this.#underWay.get(from)! - 1
      if (left === 0) this.#underWay.delete(from)
      else this.#underWay.set(from, left)
    }
  }
}
