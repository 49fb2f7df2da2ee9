import { LRUCache } from 'lru-cache'
import type { Json } from '../base/wire.ts'

/** Something that Ruby asks of the host. */
export interface Question {
  readonly name: string
  readonly args: readonly Json[]
}

/** What came of a rendering. */
export interface Rendered {
  readonly text: string
  /** The variables that it set in its scope. */
  readonly sets: ReadonlyMap<string, Json>
  /** The variables of manifests whose arrays and hashes it changed in place, and what they are then. */
  readonly changes: ReadonlyMap<string, Json>
}

/** What comes of a template after the same answers: what it asks next, or what it gives. The state has no other's number. */
interface Next {
  readonly state: number
  readonly next: Question | Rendered
}

/** By the template, or by a state and what was answered then; shared by all that this thread compiles. */
const known = new LRUCache<string, Next>({
  max: 20_000,
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: ({ next }, key) => 100 + key.length + ('text' in next ? next.text.length : 0),
})
let states = 0

/** Stands for the scope of the template, whose number is another one in each catalog. */
export const ownScope = -1

/**
 * What came of a template when it was rendered before. Code that looks at nothing but what it is told asks the same, and
 * gives the same text, for as long as it is answered the same: so its questions are answered anew, each time, and its
 * text is taken as known only if no answer is another one.
 */
export class Rendering {
  readonly #template: string

  /** `template` names the template, its content, and all other code that it may run. */
  constructor(template: string) {
    this.#template = template
  }

  /**
   * What it gives, if that is known. `answer` is asked in the place of the scope, and gives JSON, or `undefined` where an
   * answer cannot be compared. `trail` is told how it came to it.
   */
  repeat(
    scope: number,
    answer: (question: Question, scope: number) => string | undefined,
    trail?: Trail,
  ): Rendered | undefined {
    let found = known.get(this.#template)
    while (found !== undefined) {
      const { state, next } = found
      if ('text' in next) {
        for (const [name, value] of next.sets) trail?.set(scope, name, value)
        for (const [name, value] of next.changes) trail?.change(scope, name, value)
        return next
      }
      const text = answer(next, scope)
      if (text === undefined) return undefined
      trail?.addStep(next, text)
      found = known.get(keyOf(state, text))
    }
    return undefined
  }

  /** Remembers what came of a trail. */
  remember({ steps, sets, changes }: Trail, text: string): void {
    let key = this.#template
    for (const [question, answer] of steps) {
      const state = known.get(key)?.state ?? ++states
      known.set(key, { state, next: question })
      key = keyOf(state, answer)
    }
    known.set(key, { state: ++states, next: { text, sets, changes } })
  }
}

/** What a template asks while it is rendered, and what it is answered; the templates that it calls are parts of it. */
export class Trail {
  readonly #scope: number
  readonly #steps: (readonly [Question, answer: string])[] = []
  readonly #sets = new Map<string, Json>()
  readonly #changes = new Map<string, Json>()
  /** Own variables that were set before it began. */
  readonly #reads = new Set<string>()
  #isSpoiled = false

  constructor(scope: number) {
    this.#scope = scope
  }

  get steps(): readonly (readonly [Question, answer: string])[] {
    return this.#steps
  }

  get sets(): ReadonlyMap<string, Json> {
    return this.#sets
  }

  get changes(): ReadonlyMap<string, Json> {
    return this.#changes
  }

  /** Whether all that was asked could be asked again, without harm and with the same meaning. */
  get isRepeatable(): boolean {
    return !this.#isSpoiled && this.#reads.size === 0
  }

  /** `answer` is JSON. */
  add({ name, args }: Question, answer: string): void {
    if (!isRepeatable[name]?.(args, this.#scope)) this.spoil()
    if (this.#isSpoiled) return
    // Only what asks about a scope has numbers here.
    this.addStep({ name, args: scopeless.has(name) ? args : [ownScope, ...args.slice(1)] }, answer)
  }

  /** One that was asked before: it names no scope. */
  addStep(question: Question, answer: string): void {
    this.#steps.push([question, answer])
  }

  /** Ruby sets a variable; it keeps it, too. */
  set(scope: number, name: string, value: Json): void {
    if (scope !== this.#scope || isNumbered(value)) this.spoil()
    else this.#sets.set(name, value)
  }

  /** Ruby changed in place what a manifest set: the last that a template does. */
  change(scope: number, name: string, value: Json): void {
    if (scope !== this.#scope || isNumbered(value)) this.spoil()
    else this.#changes.set(name, value)
  }

  /** Ruby reads a variable that it kept: that tells the same only if it was set on the way. */
  read(scope: number, name: string): void {
    if (scope !== this.#scope) this.spoil()
    else if (!this.#sets.has(name)) this.#reads.add(name)
  }

  /** Takes in the trail of a template that was called. */
  adopt(inner: Trail): void {
    if (inner.#isSpoiled || inner.#scope !== this.#scope) this.spoil()
    for (const name of inner.#reads) this.read(inner.#scope, name)
    this.#steps.push(...inner.#steps)
    for (const [name, value] of inner.#sets) this.set(inner.#scope, name, value)
    // What is asked after it is answered with the change.
    if (inner.#changes.size > 0) this.spoil()
  }

  spoil(): void {
    this.#isSpoiled = true
  }
}

/** A block is a number that Ruby knows for this catalog only. */
function isNumbered(value: Json): boolean {
  return /\["[po]",/.test(JSON.stringify(value))
}

/** Functions that give the same for the same arguments, and do nothing else. */
const harmless: ReadonlySet<unknown> = new Set(['apache::bool2httpd', 'bool2httpd', 'sprintf', 'versioncmp'])

/** Questions that are about no scope. */
const scopeless: ReadonlySet<string> = new Set(['find_file', 'setting', 'template_content'])

/** Questions that change nothing; those about a scope only where it is the template's own. */
const isRepeatable: Readonly<Record<string, (args: readonly Json[], scope: number) => boolean>> = {
  find_file: () => true,
  setting: () => true,
  template_content: () => true,
  variable: ([scope], own) => scope === own,
  // All variables would be too much to compare.
  variables: ([scope, names], own) => scope === own && names !== null,
  call: ([scope, name, , block], own) => scope === own && harmless.has(name) && block === undefined,
}

/**
 * Whether a template's code may look at anything that is not told to it, or change anything: other code, constants of
 * modules, globals, chance. It need not be exact where it says that it may.
 */
export function mayLookAround(template: string): boolean {
  for (const tag of tagsOf(template)) {
    const code = tag.replace(plainText, (text) => (text.startsWith('"') ? named(text) : "''")).replace(ownVariable, '@')
    if (elsewhere.test(code)) return true
    for (const [, name] of code.matchAll(/\b([A-Z]\w*)\s*(?:\.|::|\[)/g)) if (!plainConstants.has(name!)) return true
  }
  return false
}

function* tagsOf(template: string): Generator<string> {
  for (let start = template.indexOf('<%'); start >= 0; start = template.indexOf('<%', start)) {
    const isLiteral = template[start + 2] === '%'
    const close = isLiteral ? start : endOfTag(template, start + 2)
    if (close < 0) return
    if (!isLiteral && template[start + 2] !== '#') yield template.slice(start, close + 2)
    start = close + 2
  }
}

/** Where a tag ends; `%%>` within it stands for `%>`. */
function endOfTag(template: string, from: number): number {
  let close = template.indexOf('%>', from)
  while (close > from && template[close - 1] === '%') close = template.indexOf('%>', close + 2)
  return close
}

/** A string, with nothing but variables interpolated. */
const plainText = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\#\n]|\\.|#(?!\{)|#\{@?\w+\})*"/g

const named = (text: string): string => `(${[...text.matchAll(/#\{(@?\w+)\}/g)].map(([, name]) => name).join(', ')})`

/** What a manifest set: its name says nothing. */
const ownVariable = /(?<!@)@\w+/g

const elsewhere = new RegExp(
  [
    /`|%x\W|\$[A-Za-z_]|@@/,
    /(?<![.\w])(?:def|class|module|undef|alias|require\w*|load|autoload|open|exec|system|spawn|fork|puts|print|p|warn|exit|abort|sleep|gets|trap)\b/,
    /\b(?:s?rand|shuffle|sample|\w*random\w*|uuid|object_id|__\w+__|hash|\w*eval|binding|methods?|instance_\w+|class_variable\w*)\b/,
    /\b(?:const_\w+|define_\w+|remove_\w+|public_send|send|extend|to_hash|catalog|compiler|known_resource_types)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

const plainConstants: ReadonlySet<string> = new Set([
  'Array',
  'Float',
  'Hash',
  'Integer',
  'JSON',
  'Math',
  'Regexp',
  'String',
])

function keyOf(state: number, answer: string): string {
  return `${state} ${answer}`
}
