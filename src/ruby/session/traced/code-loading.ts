import { shortenAnswer } from '../../trace/trace-step.ts'
import type { InputRead } from '../../vm/ruby-engine.ts'
import type { Surroundings } from '../surroundings.ts'
import type { CodeBase } from './traced-code.ts'

/** A period in which Ruby loads code; `isQuiet` is true if Ruby read only code files in it. */
interface Stretch {
  isQuiet: boolean
  readonly code: string[]
}

/**
 * The inputs that Ruby reads while it loads code, such as data files that a constant is made of. All later calls may depend
 * on them.
 */
export class CodeLoading {
  readonly #surroundings: Surroundings
  readonly #base: () => CodeBase
  readonly #stretches: Stretch[] = []
  /** True while a type is being loaded. */
  #isType = false
  /** Cached results of `hashPathsBeside`. */
  readonly #digests = new Map<number, string>()

  /** `base` returns the code of the environment. */
  constructor(surroundings: Surroundings, base: () => CodeBase) {
    this.#surroundings = surroundings
    this.#base = base
  }

  /** Runs `load`, which loads the code of a type. */
  loadType<Result>(load: () => Result): Result {
    const isInside = this.#isType
    this.#isType = true
    this.quiet(true)
    try {
      return load()
    } finally {
      this.quiet(false)
      this.#isType = isInside
    }
  }

  /** Begins or ends a period in which Ruby should read only code; returns true if it did. */
  quiet(begins: boolean): boolean {
    if (begins) this.#stretches.push({ isQuiet: true, code: [] })
    const stretch = begins ? this.#stretches.at(-1) : this.#stretches.pop()
    if (!begins && stretch && !stretch.isQuiet) for (const file of stretch.code) this.#base().loads(file)
    return stretch?.isQuiet ?? false
  }

  /** Records that Ruby sent a query, or read more than code. */
  disturb(): void {
    for (const stretch of this.#stretches) stretch.isQuiet = false
  }

  /** Records that Ruby loads a code file. */
  loads(file: string): void {
    const stretch = this.#stretches.at(-1)
    if (stretch) stretch.code.push(file)
    else this.#base().loads(file)
  }

  /**
   * Records an input that Ruby read. `code` is the kind of module code at its path; `isCode` is true for all Ruby files.
   * Skips directories, since Ruby checks all parents of its code files.
   */
  noteInput(
    { kind, path, isRead }: InputRead,
    { code, isCode }: { readonly code: 'function' | 'other' | undefined; readonly isCode: boolean },
  ): void {
    // Descriptions of types are cached independently of the state of functions.
    const isBeside = code === undefined || (code === 'function' && this.#isType)
    if (!isBeside || !((isCode && isRead) || this.#stretches.length > 0)) return
    if (kind === 'folder') this.#base().looksBeside(`${path}/`)
    else if (kind === 'path' && this.#surroundings.pathAnswer(path) !== 'directory') this.#base().looksBeside(path)
  }

  /**
   * Returns the current state of the paths, other than code in `lib` folders, that machines read while loading code;
   * `undefined` if there are too many paths.
   */
  get besideCode(): string | undefined {
    const { beside } = this.#base()
    return beside && this.hashPathsBeside(beside.size)
  }

  /** Returns a digest of the current state of the first `count` of these paths. */
  hashPathsBeside(count: number): string {
    const known = this.#digests.get(count)
    if (known !== undefined) return known
    const { pathAnswer, folderAnswer } = this.#surroundings
    const paths = [...(this.#base().beside ?? [])].slice(0, count)
    const answers = paths.map((path) => [path, path.endsWith('/') ? folderAnswer(path.slice(0, -1)) : pathAnswer(path)])
    const digest = shortenAnswer(JSON.stringify(answers))
    this.#digests.set(count, digest)
    return digest
  }

  abandon(): void {
    this.#stretches.length = 0
  }
}
