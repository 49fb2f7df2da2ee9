import type { CodeTree } from '../../code/environments/code-tree.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { type TreeWatcher, WatchedTree } from '../../code/environments/watched-tree.ts'
import type { VariableWatcher } from '../../language/evaluator/variable-watcher.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import { type HashWatcher, WatchedHash } from '../../language/values/watched-hash.ts'

/** Kinds of reads that a catalog depends on. To check a trace, recall repeats the reads. */
export type ReadKind =
  | 'fact'
  | 'all-facts'
  | 'variable'
  | 'all-variables'
  | 'trusted'
  | 'all-trusted'
  | 'fact-names'
  | 'odd-fact-names'
  | 'special-parameters'
  | 'kind'
  | 'bytes'
  | 'link'
  | 'folder'
  | 'syntax'
  | 'site'
  | 'definition'
  | 'data'
  | 'all-data'
  | 'time'
  | 'module'
  | 'modules'
  | 'module-file'
  | 'module-entry'
  | 'providers'
  | 'file-in-any'
  | 'shown'
  | 'load-path'
  | 'ruby'
  | 'ruby-types'
  | 'ruby-path'
  | 'ruby-folder'
  | 'exports'
  | 'outside'
  | 'secret-key'

/**
 * Called once for each different read. `answer` is the result if the compilation already has it as text; otherwise
 * undefined.
 */
export type NewRead = (kind: ReadKind, args: readonly string[], answer: string | undefined) => void

/** Records the reads of one compilation; each read is recorded once. */
export class Reads {
  /** The environment, which records reads of its files. */
  readonly environment: CompileEnvironment
  readonly #ask: NewRead
  readonly #beforeRead: (() => void) | undefined
  readonly #noted = new Set<string>()
  readonly #atEnd: (() => void)[] = []
  #spoilt: string | undefined
  #fillsTime = false

  /** `ask` is called once for each different read, `beforeRead` before every read. */
  constructor(environment: CompileEnvironment, ask: NewRead, beforeRead?: () => void) {
    this.#ask = ask
    this.#beforeRead = beforeRead
    this.environment = this.#watched(environment)
  }

  /** The reason why the compilation cannot be recalled; `undefined` if it can be recalled. */
  get spoilt(): string | undefined {
    return this.#spoilt
  }

  note(kind: ReadKind, ...args: readonly string[]): void {
    this.noteAnswer(kind, args, undefined)
  }

  /** Records a read with its result, if the result may change later. */
  noteAnswer(kind: ReadKind, args: readonly string[], answer: string | undefined): void {
    this.#beforeRead?.()
    const key = `${kind}\0${args.join('\0')}`
    if (this.#noted.has(key)) return
    this.#noted.add(key)
    this.#ask(kind, args, answer)
  }

  spoil(reason: string): void {
    this.#spoilt ??= reason
  }

  /**
   * Runs `work`, which writes the time of the environment's tree to the catalog. This read of the time is not recorded
   * as an input, since a recalled catalog gets the current time of the tree.
   */
  fillingTime<Result>(work: () => Result): Result {
    this.#fillsTime = true
    try {
      return work()
    } finally {
      this.#fillsTime = false
    }
  }

  /** Registers a function that is called at the end of the compilation. */
  atEnd(work: () => void): void {
    this.#atEnd.push(work)
  }

  end(): void {
    for (const work of this.#atEnd) work()
  }

  /** Returns a fact value that records reads of its members; `path` contains the names that lead to the value. */
  fact(value: Value, path: readonly string[]): Value {
    return value instanceof Hash ? new WatchedHash(value, this.#ofFacts, path) : value
  }

  /** Returns the trusted data in a form that records reads. */
  trusted(value: Value): Value {
    return value instanceof Hash ? new WatchedHash(value, this.#ofTrusted) : value
  }

  /** Records reads of top-scope variables from facts or node parameters. */
  readonly variables: VariableWatcher = {
    reads: (name) => this.note('variable', name),
    readsNames: () => this.note('fact-names'),
    readsOddNames: () => this.note('odd-fact-names'),
    readsAll: () => this.note('all-variables'),
  }

  readonly #ofFacts = this.#ofHash('fact', 'all-facts')
  readonly #ofTrusted = this.#ofHash('trusted', 'all-trusted')

  #ofHash(kind: ReadKind, all: ReadKind): HashWatcher {
    return {
      reads: (path) => {
        this.note(kind, ...path)
        return true
      },
      readsAll: (path) => this.note(all, ...path),
    }
  }

  #readsTime(): void {
    if (!this.#fillsTime) this.note('time')
  }

  #watched(environment: CompileEnvironment): CompileEnvironment {
    const known = new Map<CodeTree, WatchedTree>()
    const trees = listEnvironmentTrees(environment)
    const watchTree = (plain: CodeTree): WatchedTree => {
      const made = known.get(plain) ?? new WatchedTree(plain, this.#ofTree(String(trees.indexOf(plain))))
      known.set(plain, made)
      return made
    }
    const { modulepath, manifest, globalHiera } = environment
    return {
      ...environment,
      tree: watchTree(environment.tree),
      modulepath: modulepath.map((each) => ({ ...each, tree: watchTree(each.tree) })),
      manifest:
        manifest && 'tree' in manifest && manifest.tree ? { ...manifest, tree: watchTree(manifest.tree) } : manifest,
      globalHiera: globalHiera && {
        ...globalHiera,
        tree: watchTree(globalHiera.tree),
        ...(globalHiera.data && { data: globalHiera.data.map(watchTree) }),
      },
    }
  }

  #ofTree(tree: string): TreeWatcher {
    return {
      readsKind: (path) => this.note('kind', tree, path),
      readsBytes: (path) => this.note('bytes', tree, path),
      readsLink: (path) => this.note('link', tree, path),
      readsFolder: (path) => this.note('folder', tree, path),
      readsSyntax: (path, moduleFile = '') => this.note('syntax', tree, path, moduleFile),
      readsData: (path, backend, key) => this.note('data', tree, path, backend, key),
      readsAllData: (path, backend) => this.note('all-data', tree, path, backend),
      readsSecretKey: (path) => this.note('secret-key', path),
      readsTime: () => this.#readsTime(),
    }
  }
}

/** Returns the different trees of an environment, in an order that depends only on the structure of the environment. */
export function listEnvironmentTrees({
  tree,
  modulepath,
  manifest,
  globalHiera,
}: CompileEnvironment): readonly CodeTree[] {
  const own = manifest && 'tree' in manifest ? manifest.tree : undefined
  const all = [tree, ...modulepath.map((each) => each.tree), own, globalHiera?.tree, ...(globalHiera?.data ?? [])]
  return [...new Set(all)].filter((each) => each !== undefined)
}
