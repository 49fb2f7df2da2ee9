import { writeFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'
import { isSingleExecutable, readProgramFile } from './program-files.ts'

interface Module {
  exports: unknown
}

type Body = (module: Module, exports: unknown, require: (name: string) => unknown, filename: string) => void

/**
 * Wraps the text of a CommonJS file in a function for `CachedCode`. Escapes characters outside ASCII, because V8 stores
 * and reads one-byte strings four times as fast. Throws for a character that cannot be replaced by an escape.
 */
export function wrapCommonJs(code: string): string {
  const [raw] = /\\[^\0-\x7f]|String\.raw`[^`]*[^\0-\x7f]/.exec(code) ?? []
  if (raw !== undefined) throw new Error(`cannot be written in ASCII: ${raw}`)
  const escapeCharacter = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return `(function (module, exports, require, __filename) {${code.replace(/[^\0-\x7f]/g, escapeCharacter)}\n})`
}

/**
 * Loads CommonJS files of one build, each written by `wrapCommonJs`. Uses V8's code cache, stored next to each file,
 * because parsing takes a third of the time of a small command. The name of the cache contains V8's version and flags:
 * V8 rejects a cache with other ones, and servers have different flags than commands. Only for Node 20; Node 22 has
 * enableCompileCache.
 */
export class CachedCode {
  readonly #modules = new Map<string, Module>()
  readonly #scripts = new Map<string, Script>()
  readonly #role: string
  /** Loads what is not in the bundle; the same for all files, which are in one folder. */
  #requireOther: ((name: string) => unknown) | undefined

  /** A role has its own caches, which contain the functions that processes or threads of this role call. */
  constructor(role = '') {
    this.#role = role
  }

  /** Exports of a file, which is executed once. */
  load(file: string): unknown {
    const known = this.#modules.get(file)
    if (known) return known.exports
    const module: Module = { exports: {} }
    this.#modules.set(file, module)
    const folder = dirname(file)
    this.#requireOther ??= isSingleExecutable ? requireBuiltin : createRequire(file)
    const others = this.#requireOther
    const require = (name: string) => (name.startsWith('./') ? this.load(join(folder, name)) : others(name))
    this.#compile(file)(module, module.exports, require, file)
    return module.exports
  }

  /** Writes V8's code cache next to each loaded file, for processes with the same flags. */
  save(): void {
    for (const [file, script] of this.#scripts) writeFileSync(this.#getCachePath(file), script.createCachedData())
  }

  #compile(file: string): Body {
    const script = new Script(readProgramFile(file).toString('latin1'), {
      filename: file,
      cachedData: this.#readCache(file),
    })
    this.#scripts.set(file, script)
    return script.runInThisContext() as Body
  }

  #getCachePath(file: string): string {
    return `${file}.${cachedDataVersionTag().toString(16)}${this.#role}.v8`
  }

  #readCache(file: string): Buffer | undefined {
    try {
      return readProgramFile(this.#getCachePath(file))
    } catch {
      return undefined // The build has not stored one.
    }
  }
}

/** Node's code of this error, which libraries expect of optional modules. */
const missingModule = 'MODULE_NOT_FOUND'

/**
 * Loads a module of Node. The executable contains all other modules, and must not load one that somebody put into a
 * folder above the executable or in NODE_PATH.
 */
function requireBuiltin(name: string): unknown {
  if (isBuiltin(name)) return process.getBuiltinModule(name)
  throw Object.assign(new Error(`Cannot find module '${name}'`), { code: missingModule })
}
