import { throwIssue } from '../base/issue.ts'
import { authorityOverloads } from './issues.ts'

/** Limits of concurrent work, in total and for one client address. */
export interface AdmissionBounds {
  readonly all: number
  readonly each: number
}

/** Limits concurrent work; rejects work beyond the limits instead of queueing it. */
export class CaAdmission {
  readonly #bounds: AdmissionBounds
  readonly #underWay = new Map<string, number>()
  #count = 0

  constructor(bounds: AdmissionBounds) {
    this.#bounds = bounds
  }

  /** Runs `work`; `from` is the client's address. Throws AUTHORITY_BUSY if a limit is reached. */
  async run<Result>(from: string, work: () => Promise<Result>): Promise<Result> {
    const own = this.#underWay.get(from) ?? 0
    if (this.#count >= this.#bounds.all || own >= this.#bounds.each) throwIssue(authorityOverloads.AUTHORITY_BUSY, {})
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
