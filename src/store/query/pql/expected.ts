import { budgets } from '../../../base/budgets/budgets.ts'
import { type Part, rules } from './grammar.ts'

/**
 * The message for a text that is no PQL: the place up to which it could be, and what may stand there, in PuppetDB's order.
 * Its parser follows all readings of a text at once, with a stack of what is yet to be tried, and so does this search.
 * Beyond a number of steps only the place is told, which is where the parser did not come any farther.
 */
export function expectationsOf(text: string, farthest: number): string {
  const search = new Search(text)
  return search.run() ? `${headOf(text, search.farthest)}${listOf(search.reasons)}` : headOf(text, farthest)
}

/** The place of a mistake: its line, with a caret below. */
function headOf(text: string, at: number): string {
  const before = text.slice(0, at).split('\n')
  const lines = text.split(/\r\n|\n|\r/)
  if (lines.at(-1) === '') lines.pop()
  const line = text === '' ? 'null' : (lines[before.length - 1] ?? '')
  const column = before.at(-1)!.length + 1
  const place = `line ${before.length.toLocaleString('en-US')}, column ${column.toLocaleString('en-US')}`
  return `PQL parse error at ${place}:\n\n${line}\n${' '.repeat(column - 1)}^\n\n`
}

/** Something that would have been right, of which some must be the last thing in the text. */
interface Reason {
  readonly shown: string
  readonly last: boolean
}

function listOf(reasons: readonly Reason[]): string {
  const shown = (last: boolean) => [...new Set(reasons.filter((each) => each.last === last).map((each) => each.shown))]
  const [whole, others] = [shown(true), shown(false)]
  const title = whole.length + others.length === 1 ? 'Expected:\n' : 'Expected one of:\n\n'
  const texts = whole.map((each) => `${each} (followed by end-of-string)`)
  return [title, ...texts, ...others.map((each) => `${each}\n`)].join('')
}

type Listener = (end: number) => void

/** A part at a place: where it may end, and who waits for that. A last part is one that has to end with the text. */
interface Spot {
  readonly listeners: Listener[]
  readonly lastListeners: Listener[]
  readonly ends: Set<number>
}

class Search {
  readonly #text: string
  readonly #spots: Map<Part, Spot>[] = []
  readonly #stack: (() => void)[] = []
  readonly #whenExhausted: { readonly at: number; readonly run: () => void }[] = []
  farthest = 0
  reasons: Reason[] = []

  constructor(text: string) {
    this.#text = text
  }

  /** Tries all; false where that takes too long. */
  run(): boolean {
    this.#waitForLast(0, rules.get('query')!, () => {})
    for (let step = 0; step < budgets.query.pqlExpectations.bound; step++) {
      const next = this.#stack.pop() ?? this.#nextExhausted()
      if (next === undefined) return true
      next()
    }
    return false
  }

  /** Of those that wait for the failure of others, the one at the farthest place, and there the newest. */
  #nextExhausted(): (() => void) | undefined {
    const all = this.#whenExhausted
    const at = all.reduce((best, each, index) => (best < 0 || each.at >= all[best]!.at ? index : best), -1)
    return at < 0 ? undefined : all.splice(at, 1)[0]!.run
  }

  #spot(at: number, part: Part): Spot {
    this.#spots[at] ??= new Map()
    const spot = this.#spots[at].get(part) ?? { listeners: [], lastListeners: [], ends: new Set() }
    this.#spots[at].set(part, spot)
    return spot
  }

  #wait(at: number, part: Part, listener: Listener): void {
    const spot = this.#spot(at, part)
    const fresh = spot.listeners.length === 0
    spot.listeners.push(listener)
    for (const end of spot.ends) this.#tell(listener, end)
    if (fresh) this.#stack.push(() => this.#try(at, part))
  }

  #waitForLast(at: number, part: Part, listener: Listener): void {
    const spot = this.#spot(at, part)
    const fresh = spot.lastListeners.length === 0 && spot.listeners.length === 0
    spot.lastListeners.push(listener)
    if (spot.ends.has(this.#text.length)) this.#tell(listener, this.#text.length)
    if (fresh) this.#stack.push(() => this.#tryLast(at, part))
  }

  #tell(listener: Listener, end: number): void {
    this.#stack.push(() => listener(end))
  }

  #found(at: number, part: Part, end: number): void {
    const spot = this.#spot(at, part)
    if (spot.ends.has(end)) return
    spot.ends.add(end)
    for (const listener of spot.listeners) this.#tell(listener, end)
    if (end === this.#text.length) for (const listener of spot.lastListeners) this.#tell(listener, end)
  }

  #fail(at: number, shown: string, last = false): void {
    if (at < this.farthest) return
    if (at > this.farthest) this.reasons = []
    this.farthest = at
    this.reasons.push({ shown, last })
  }

  #try(at: number, part: Part): void {
    const found = (end: number) => this.#found(at, part, end)
    switch (part.kind) {
      case 'words':
      case 'pattern':
        this.#terminal(at, part, false)
        break
      case 'rule':
        this.#wait(at, rules.get(part.name)!, found)
        break
      case 'any':
        for (const each of part.parts) this.#wait(at, each, found)
        break
      case 'all':
        this.#next(at, part.parts, 0, found)
        break
      case 'maybe':
        this.#wait(at, part.part, found)
        found(at)
        break
      case 'some':
      case 'many':
        this.#wait(at, part.part, (end) => this.#again(end, part.part, new Set([at]), found))
        if (part.kind === 'many') found(at)
        break
      case 'not':
        this.#not(at, part)
    }
  }

  #tryLast(at: number, part: Part): void {
    const found = (end: number) => this.#found(at, part, end)
    switch (part.kind) {
      case 'words':
      case 'pattern':
        this.#terminal(at, part, true)
        break
      case 'rule':
        this.#waitForLast(at, rules.get(part.name)!, found)
        break
      case 'any':
        for (const each of part.parts) this.#waitForLast(at, each, found)
        break
      case 'all':
        this.#nextToLast(at, part.parts, 0, found)
        break
      case 'maybe':
        this.#waitForLast(at, part.part, found)
        if (at === this.#text.length) found(at)
        else this.#fail(at, ':end-of-string')
        break
      default:
        this.#try(at, part)
    }
  }

  #terminal(at: number, part: Extract<Part, { kind: 'words' | 'pattern' }>, last: boolean): void {
    const end = endOf(this.#text, at, part)
    if (end !== undefined && (!last || end === this.#text.length)) this.#found(at, part, end)
    else this.#fail(at, part.kind === 'words' ? part.text : part.shown, last)
  }

  #next(at: number, parts: readonly Part[], index: number, found: Listener): void {
    if (index === parts.length) found(at)
    else this.#wait(at, parts[index]!, (end) => this.#next(end, parts, index + 1, found))
  }

  #nextToLast(at: number, parts: readonly Part[], index: number, found: Listener): void {
    const listener = (end: number) => this.#nextToLast(end, parts, index + 1, found)
    if (index === parts.length) found(at)
    else if (index === parts.length - 1) this.#waitForLast(at, parts[index]!, listener)
    else this.#wait(at, parts[index]!, listener)
  }

  /** The next round of a repetition, once for each place where a round may end: PuppetDB's takes exponential time. */
  #again(at: number, part: Part, ends: Set<number>, found: Listener): void {
    if (ends.has(at)) return
    ends.add(at)
    this.#wait(at, part, (end) => this.#again(end, part, ends, found))
    found(at)
  }

  #not(at: number, part: Extract<Part, { kind: 'not' }>): void {
    const { ends } = this.#spot(at, part.part)
    let failed = ends.size > 0
    if (failed) this.#fail(at, 'null')
    else {
      this.#wait(at, part.part, () => {
        if (!failed) this.#fail(at, part.shown)
        failed = true
      })
      const run = () => {
        if (ends.size === 0) this.#found(at, part, at)
      }
      this.#whenExhausted.push({ at, run })
    }
  }
}

/** The end of what stands at a place, where it is what the grammar has there. */
function endOf(text: string, at: number, part: Extract<Part, { kind: 'words' | 'pattern' }>): number | undefined {
  if (part.kind === 'words') return text.startsWith(part.text, at) ? at + part.text.length : undefined
  return part.ending(text, at)
}
