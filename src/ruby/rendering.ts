import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Json } from '../base/wire.ts'

/** Something that Ruby asks of the host. */
export interface Question {
  readonly name: string
  readonly args: readonly Json[]
}

/** What comes of a template after the same answers: what it asks next, or its text. */
type Next = Question | string

/** By a digest of the template and of all that it was answered so far; shared by all that this thread compiles. */
const known = new LRUCache<string, Next>({
  max: 20_000,
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: (next) => 100 + (typeof next === 'string' ? next.length : 0),
})

/** Stands for the scope of the template, whose number is another one in each catalog. */
const ownScope = -1

/**
 * What came of a template when it was rendered before. Code that looks at nothing but what it is told asks the same, and
 * gives the same text, for as long as it is answered the same: so its questions are answered anew, each time, and its
 * text is taken as known only if no answer is another one.
 */
export class Rendering {
  readonly #start: string

  /** `template` names the template, its content, and all other code that it may run. */
  constructor(template: string) {
    this.#start = digest(template)
  }

  /** The text, if it is known; `answer` gives `undefined` where an answer cannot be compared. */
  repeat(scope: number, answer: (question: Question) => Json | undefined): string | undefined {
    let state = this.#start
    for (let next = known.get(state); next !== undefined; next = known.get(state)) {
      if (typeof next === 'string') return next
      const again = answer({ name: next.name, args: next.args.map((each) => (each === ownScope ? scope : each)) })
      if (again === undefined) return undefined
      state = digest(state, JSON.stringify(again))
    }
    return undefined
  }

  /** Remembers what came of a trail. */
  remember({ steps }: Trail, text: string): void {
    let state = this.#start
    for (const [question, answer] of steps) {
      known.set(state, question)
      state = digest(state, answer)
    }
    known.set(state, text)
  }
}

/** What a template asks while it is rendered, and what it is answered. */
export class Trail {
  readonly #scope: number
  readonly #steps: (readonly [Question, answer: string])[] = []
  #isRepeatable = true

  constructor(scope: number) {
    this.#scope = scope
  }

  get steps(): readonly (readonly [Question, answer: string])[] {
    return this.#steps
  }

  /** Whether all that was asked could be asked again, without harm and with the same meaning. */
  get isRepeatable(): boolean {
    return this.#isRepeatable
  }

  add({ name, args }: Question, answer: Json): void {
    if (!isRepeatable[name]?.(args, this.#scope)) this.spoil()
    if (!this.#isRepeatable) return
    // Only what asks about a scope has numbers here.
    const own = name === 'find_file' || name === 'setting' ? args : [ownScope, ...args.slice(1)]
    this.#steps.push([{ name, args: own }, JSON.stringify(answer)])
  }

  spoil(): void {
    this.#isRepeatable = false
  }
}

/** Functions that give the same for the same arguments, and do nothing else. Templates that are called see to themselves. */
const harmless: ReadonlySet<unknown> = new Set([
  'apache::bool2httpd',
  'bool2httpd',
  'sprintf',
  'template',
  'versioncmp',
])

/** Questions that change nothing; those about a scope only where it is the template's own. */
const isRepeatable: Readonly<Record<string, (args: readonly Json[], scope: number) => boolean>> = {
  find_file: () => true,
  setting: () => true,
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
  for (const [code] of template.matchAll(/<%(?!%).*?%>/gs)) {
    if (elsewhere.test(code)) return true
    for (const [, name] of code.matchAll(/\b([A-Z]\w*)\s*(?:\.|::|\[)/g)) if (!plainConstants.has(name!)) return true
  }
  return false
}

const elsewhere = new RegExp(
  [
    /`|%x\W|\$[A-Za-z_]|@@/,
    /(?<![.\w])(?:def|class|module|undef|alias|require\w*|load|autoload|open|exec|system|spawn|fork|puts|print|p|warn|exit|abort|sleep|gets|trap)\b/,
    /\b(?:s?rand|shuffle|sample|\w*random\w*|uuid|object_id|__\w+__|hash|\w*eval|binding|methods?|instance_\w+|class_variable\w*)\b/,
    /\b(?:const_\w+|define_\w+|remove_\w+|public_send|send|extend|to_hash|setvar|catalog|compiler|known_resource_types)\b/,
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

function digest(...parts: readonly string[]): string {
  const hash = createHash('sha1')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('base64')
}
