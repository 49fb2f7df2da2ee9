import { LRUCache } from 'lru-cache'
import { budgets } from '../../../base/budgets/budgets.ts'

/** The result of judging Ruby code whose calls may be cached. */
export interface CodeVerdict {
  /**
   * Reason why calls cannot be cached: state that the code reads or keeps, but that no trace records. `undefined`
   * if they can be cached.
   */
  readonly reason: string | undefined
  /** The files of the code, including helpers. */
  readonly files: ReadonlySet<string>
  /** Names of called methods. */
  readonly calls: readonly string[]
  /** Methods that the templates define when they are rendered, for themselves and later templates. */
  readonly templateMethods: ReadonlySet<string>
  /** Constants whose values the code reads. */
  readonly constants: readonly string[]
}

/** The code of one function or template. */
export class TracedCode {
  /** Key of the code, including all code it may run. */
  readonly key: string
  readonly base: CodeBase
  /** Files with the code: its own file, and the files of functions that it has called. */
  readonly files: Set<string>
  /**
   * Files that Ruby loaded during calls of this code. A call is recalled only if the machine has loaded these
   * files, since later code may depend on their definitions.
   */
  readonly loads = new Set<string>()
  /** Text of a template. */
  readonly text: string | undefined
  /** Texts of the template, and of the nested templates that were recorded as parts of it. */
  readonly texts: Set<string>
  verdict: CodeVerdict | undefined
  /** Value of `base.loaded` at the time of the verdict; loading more files may add code. */
  judgedAt = -1
  #forbidden: string | undefined
  #checkedAt = -1

  constructor(base: CodeBase, key: string, files: Iterable<string>, text: string | undefined) {
    this.base = base
    this.key = key
    this.files = new Set(files)
    this.text = text
    this.texts = new Set(text === undefined ? [] : [text])
  }

  /** Reason why calls are not cached, as far as it is known without running Ruby. */
  get reason(): string | undefined {
    return this.#forbidden ?? this.base.broken ?? this.verdict?.reason ?? this.#changedByOthers()
  }

  /** Records that a call of this code ran other code as a part of itself. */
  includes(other: TracedCode): void {
    for (const file of other.loads) this.loads.add(file)
    const size = this.texts.size + this.files.size
    for (const text of other.texts) this.texts.add(text)
    for (const file of other.files) this.files.add(file)
    if (this.texts.size > maxParts) this.forbid(`renders more than ${maxParts} other templates`)
    if (this.texts.size + this.files.size > size) this.judgedAt = -1
  }

  /** Permanently disables caching of this code's calls, for this reason. */
  forbid(reason: string): void {
    this.#forbidden ??= reason
  }

  #changedByOthers(): string | undefined {
    const { base, verdict } = this
    if (!verdict || this.#checkedAt === base.changes) return undefined
    const reason = base.findChangeReason(verdict)
    if (reason === undefined) this.#checkedAt = base.changes
    return reason
  }
}

const maxParts = budgets.environment.renderedParts.bound
const maxCodeChars = budgets.environment.judgedCode.bound
/** Maximum number of files outside of code that are compared for each catalog. With more files, nothing is cached. */
const maxBeside = budgets.environment.filesBesideCode.bound

function computeTextSize(text = ''): number {
  return text.length + 1
}

/** All Ruby code of one version of an environment, with this thread's knowledge of the code. */
export class CodeBase {
  /** Increases whenever a file is found to affect the behavior of other code. */
  changes = 0
  /** Number of code files that machines loaded. */
  loaded = 0
  /** Reason why no call is cached: a module redefines a method of Ruby or Puppet. `undefined` if none does. */
  broken: string | undefined
  readonly id: string
  readonly #codes = new LRUCache<string, TracedCode>({
    max: 5000,
    maxSize: maxCodeChars,
    sizeCalculation: ({ text }) => computeTextSize(text),
  })
  /** Methods that modules add to Ruby's and Puppet's classes, with the files that add them. */
  readonly #added = new Map<string, Set<string>>()
  /** Files that read more than code while they are loaded. */
  readonly #loud = new Set<string>()
  readonly #beside = new Set<string>()

  constructor(id: string) {
    this.id = id
  }

  /** Returns the code with this name; always returns the same object for a name. */
  code(name: string, files: Iterable<string>, text?: string): TracedCode {
    const known = this.#codes.get(name)
    if (known) return known
    const code = new TracedCode(this, `${this.id} ${name}`, files, text)
    // The verdict on such long code could not be cached, so each call would need a new verdict.
    if (computeTextSize(text) > maxCodeChars) code.forbid('is too long')
    this.#codes.set(name, code)
    return code
  }

  /** Records that a file adds a method to a class of Ruby or Puppet. */
  adds(method: string, file: string): void {
    const files = this.#added.get(method) ?? new Set()
    if (files.has(file)) return
    this.#added.set(method, files.add(file))
    this.changes++
  }

  /** Records that a file replaces a method of Ruby or Puppet. */
  redefines(method: string): void {
    this.broken ??= `code of a module redefines ${method}`
  }

  /** Records that more than code was read, or reads were not observed, while a file was loaded. */
  loads(file: string): void {
    this.#loud.add(file)
    this.changes++
  }

  /**
   * Returns the paths on which loaded code depends, other than code in `lib` folders; a folder whose names were
   * read ends with `/`. `undefined` if there are too many.
   */
  get beside(): ReadonlySet<string> | undefined {
    return this.#beside.size > maxBeside ? undefined : this.#beside
  }

  /** Records a file, or the names in a folder, on which loaded code depends. */
  looksBeside(path: string): void {
    if (this.#beside.size > maxBeside || this.#beside.has(path)) return
    this.#beside.add(path)
    this.loaded++
    if (this.#beside.size > maxBeside) this.broken ??= `code reads more than ${maxBeside} files while it is loaded`
  }

  /** Records that a call changed a constant. */
  changesConstant(name: string): void {
    for (const code of this.#codes.values())
      if (code.verdict?.constants.includes(name)) code.forbid(`${name} is redefined`)
  }

  /**
   * Returns the reason why other files may change the behavior of code with this verdict; `undefined` if none does.
   */
  findChangeReason({ calls, files, templateMethods }: CodeVerdict): string | undefined {
    for (const file of files) if (this.#loud.has(file)) return `${file} reads files that are not code`
    for (const name of calls)
      if (!templateMethods.has(name))
        for (const file of this.#added.get(name) ?? []) if (!files.has(file)) return `${file} adds ${name}`
    return undefined
  }

  /** Yields the code of all known functions and templates, for tools. */
  *known(): Generator<TracedCode> {
    yield* this.#codes.values()
  }
}

/** Code bases by environment and digest of the environment's Ruby code. */
const bases = new LRUCache<string, CodeBase>({ max: 16 })
let made = 0

/** Returns this thread's knowledge of the Ruby code of an environment. */
export function getCodeBase(environment: string, digest: string): CodeBase {
  const key = `${environment}\0${digest}`
  const known = bases.get(key)
  if (known) return known
  const base = new CodeBase(String(++made))
  bases.set(key, base)
  return base
}
