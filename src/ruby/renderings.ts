import type { Json } from '../base/wire.ts'
import { ownScope, type Question, type Rendering, Trail } from './rendering.ts'

/** What a catalog's templates are rendered with. */
export interface RenderingParts {
  /** What the host answers now, in a scope, as JSON; `undefined` when that cannot be compared with another answer. */
  answerAgain(question: Question, scope: number): string | undefined
  /** Sets a variable of a scope's; whether it could. */
  setAhead(scope: number, name: string, value: Json): boolean
  /** How often Ruby looked at what it was not told. */
  looks(): number
}

/** The templates of one catalog: those that are being rendered, and what is left undone of those that are known. */
export class Renderings {
  readonly #parts: RenderingParts
  /** The inner one last. */
  readonly #trails: Trail[] = []
  /** Variables that only Ruby has, or would have: `SCOPE NAME`. */
  readonly #ownVariables = new Set<string>()
  /** Renderings that would have set such variables. */
  #skipped: { readonly scope: number; readonly render: () => string }[] = []

  constructor(parts: RenderingParts) {
    this.#parts = parts
  }

  /**
   * What `render` gives; known without it where all that the template asked before is answered as before. `rendering` is
   * `undefined` for one that may look at other things than answers.
   */
  rendered(rendering: Rendering | undefined, scope: number, render: () => string): string {
    return this.#known(rendering, scope, render) ?? this.#render(rendering, scope, render)
  }

  /** Ruby asked something while it rendered, and was answered; `isNumbered` when the answer holds for this catalog only. */
  answered(question: Question, answer: Json, isNumbered: boolean): void {
    const trail = this.#trails.at(-1)
    const [scope, name, value] = question.args as readonly [number, string, Json]
    if (question.name === 'set_variable') {
      if (answer === true) trail?.set(scope, name, value)
      else trail?.spoil()
    } else if (question.name === 'changed') trail?.change(scope, name, value)
    else if (question.name === 'own_variable') {
      this.#ownVariables.add(`${scope} ${name}`)
      if (value !== true) trail?.read(scope, name)
    } else if (question.name === 'call' && question.args[1] === 'template') this.#called(question.args[2])
    else {
      if (isNumbered) trail?.spoil()
      trail?.add(question, JSON.stringify(answer))
    }
  }

  /** What is rendered now cannot be known for another time. */
  spoil(): void {
    this.#trails.at(-1)?.spoil()
  }

  /** Before Ruby runs: does what was left undone, in one scope or in all. */
  catchUp(scope?: number): void {
    const isMeant = (each: { scope: number }) => scope === undefined || each.scope === scope || each.scope === 0
    const late = this.#skipped.filter(isMeant)
    if (late.length === 0) return
    this.#skipped = this.#skipped.filter((each) => !isMeant(each))
    for (const { scope, render } of late) {
      // What it asks is nobody's.
      this.#trails.push(new Trail(scope))
      try {
        render()
      } finally {
        this.#trails.pop()
      }
    }
  }

  /** Nothing is rendered any more. */
  abandon(): void {
    this.#trails.length = 0
  }

  /** What called templates asked is in the trail; which ones they are has to be, too. */
  #called(names: Json | undefined): void {
    const trail = this.#trails.at(-1)
    const [, ...called] = Array.isArray(names) ? names : []
    for (const name of called) {
      const question = { name: 'template_content', args: [name] }
      const content = typeof name === 'string' ? this.#parts.answerAgain(question, ownScope) : undefined
      if (content === undefined || content === 'null') trail?.spoil()
      else trail?.add(question, content)
    }
  }

  #known(rendering: Rendering | undefined, scope: number, render: () => string): string | undefined {
    const outer = this.#trails.at(-1)
    const trail = outer && new Trail(scope)
    const known = rendering?.repeat(scope, this.#answer, trail)
    if (!known) return undefined
    const { text, sets, changes } = known
    if (outer && changes.size > 0) return undefined
    if (sets.size > 0) {
      // Whoever called it may want them.
      if (outer || !this.#setAhead(scope, sets)) return undefined
      this.#skipped.push({ scope, render })
    }
    for (const [name, value] of changes)
      this.#parts.answerAgain({ name: 'changed', args: [ownScope, name, value] }, scope)
    if (trail) outer.adopt(trail)
    return text
  }

  #setAhead(scope: number, sets: ReadonlyMap<string, Json>): boolean {
    for (const [name, value] of sets) {
      const isNew = !this.#ownVariables.has(`${scope} ${name}`)
      if (!isNew || !this.#parts.setAhead(scope, name, value)) return false
      this.#ownVariables.add(`${scope} ${name}`)
    }
    return true
  }

  readonly #answer = (question: Question, scope: number): string | undefined => {
    if (question.name === 'variable' && this.#ownVariables.has(`${scope} ${question.args[1]}`)) return undefined
    return this.#parts.answerAgain(question, scope)
  }

  #render(rendering: Rendering | undefined, scope: number, render: () => string): string {
    this.catchUp(scope)
    const outer = this.#trails.at(-1)
    const trail = new Trail(scope)
    if (!rendering) trail.spoil()
    this.#trails.push(trail)
    const looks = this.#parts.looks()
    let text: string | undefined
    try {
      text = render()
      return text
    } finally {
      this.#trails.pop()
      if (text === undefined || this.#parts.looks() !== looks) trail.spoil()
      if (text !== undefined && trail.isRepeatable) rendering?.remember(trail, text)
      outer?.adopt(trail)
    }
  }
}
