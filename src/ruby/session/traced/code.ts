import { LRUCache } from 'lru-cache'
import { budgets } from '../../../base/budgets/budgets.ts'

/** The judgement of Ruby code whose calls may be worth remembering. */
export interface Verdict {
  /** State that the code reads or keeps and no trace records; `undefined` for code whose calls may be remembered. */
  readonly reason: string | undefined
  /** The files of the code, helpers and all. */
  readonly files: ReadonlySet<string>
  /** Names of the methods that the code calls. */
  readonly calls: readonly string[]
  /** Constants whose values the code reads. */
  readonly constants: readonly string[]
}

/** One function, or one template. */
export class TracedCode {
  /** Names the code, with all other code that it may run. */
  readonly key: string
  readonly base: CodeBase
  /** Files that the code runs: its own, and those of functions that it was seen to call. */
  readonly files: Set<string>
  /** Files of code that calls were seen to load: others may count on that. */
  readonly loads = new Set<string>()
  /** Text of a template. */
  readonly text: string | undefined
  verdict: Verdict | undefined
  /** `base.loaded` at the time of the verdict: when more was loaded, there may be more code. */
  judgedAt = -1
  #forbidden: string | undefined
  #checkedAt = -1

  constructor(base: CodeBase, key: string, files: Iterable<string>, text: string | undefined) {
    this.base = base
    this.key = key
    this.files = new Set(files)
    this.text = text
  }

  /** Why calls are not remembered, as far as it is known without asking Ruby. */
  get reason(): string | undefined {
    return this.#forbidden ?? this.base.broken ?? this.verdict?.reason ?? this.#changedByOthers()
  }

  /** For all of this process: calls of this code did what they must not do. */
  forbid(reason: string): void {
    this.#forbidden ??= reason
  }

  #changedByOthers(): string | undefined {
    const { base, verdict } = this
    if (!verdict || this.#checkedAt === base.changes) return undefined
    const reason = base.changeOf(verdict)
    if (reason === undefined) this.#checkedAt = base.changes
    return reason
  }
}

const maxCodeChars = budgets.environment.judgedCode.bound
/** Files beside code that are compared for each catalog; where code looks at more, nothing is remembered. */
const maxBeside = budgets.environment.filesBesideCode.bound

function sizeOf(text = ''): number {
  return text.length + 1
}

/** All Ruby code of an environment as it is, and what is known of it in this thread. */
export class CodeBase {
  /** Counts what came to be known of code that changes others' code. */
  changes = 0
  /** Counts the files of code that machines read. */
  loaded = 0
  /** Why nothing at all is remembered: code that changes Ruby itself. */
  broken: string | undefined
  readonly id: string
  readonly #codes = new LRUCache<string, TracedCode>({
    max: 5000,
    maxSize: maxCodeChars,
    sizeCalculation: ({ text }) => sizeOf(text),
  })
  /** Methods that modules add to classes of Ruby's and Puppet's: the files that do, by name. */
  readonly #added = new Map<string, Set<string>>()
  /** Files that read more than code while they are loaded. */
  readonly #loud = new Set<string>()
  readonly #beside = new Set<string>()

  constructor(id: string) {
    this.id = id
  }

  /** The code by that name, the same each time. */
  code(name: string, files: Iterable<string>, text?: string): TracedCode {
    const known = this.#codes.get(name)
    if (known) return known
    const code = new TracedCode(this, `${this.id} ${name}`, files, text)
    // Its verdict could not be kept, and each call would need another one.
    if (sizeOf(text) > maxCodeChars) code.forbid('is too long')
    this.#codes.set(name, code)
    return code
  }

  /** A file adds a method to a class that is not its own. */
  adds(method: string, file: string): void {
    const files = this.#added.get(method) ?? new Set()
    if (files.has(file)) return
    this.#added.set(method, files.add(file))
    this.changes++
  }

  /** A file puts another method in the place of one of Ruby's or Puppet's. */
  redefines(method: string): void {
    this.broken ??= `code of a module changes ${method}`
  }

  /** A file was loaded while other things than code were read, or nobody looked. */
  loads(file: string): void {
    this.#loud.add(file)
    this.changes++
  }

  /**
   * Files that machines looked at while they loaded code, and code beside `lib` folders; a folder whose names were read
   * ends with `/`. `undefined` where there are too many.
   */
  get beside(): ReadonlySet<string> | undefined {
    return this.#beside.size > maxBeside ? undefined : this.#beside
  }

  /** A file, or the names in a folder, that code depends on once it is loaded. */
  looksBeside(path: string): void {
    if (this.#beside.size > maxBeside || this.#beside.has(path)) return
    this.#beside.add(path)
    this.loaded++
    if (this.#beside.size > maxBeside) this.broken ??= `code looks at more than ${maxBeside} files as it is loaded`
  }

  /** A constant was changed by a call. */
  changesConstant(name: string): void {
    for (const code of this.#codes.values())
      if (code.verdict?.constants.includes(name)) code.forbid(`${name} is changed`)
  }

  /** A reason why other files change code with this verdict; `undefined` without such a file. */
  changeOf({ calls, files }: Verdict): string | undefined {
    for (const file of files) if (this.#loud.has(file)) return `${file} reads more than code`
    for (const name of calls)
      for (const file of this.#added.get(name) ?? []) if (!files.has(file)) return `${file} adds ${name}`
    return undefined
  }

  /** All code, for tools. */
  *known(): Generator<TracedCode> {
    yield* this.#codes.values()
  }
}

/** By the environment and the digest of its Ruby code. */
const bases = new LRUCache<string, CodeBase>({ max: 16 })
let made = 0

/** This thread's knowledge of the Ruby code of an environment. */
export function codeBase(environment: string, digest: string): CodeBase {
  const key = `${environment}\0${digest}`
  const known = bases.get(key)
  if (known) return known
  const base = new CodeBase(String(++made))
  bases.set(key, base)
  return base
}
