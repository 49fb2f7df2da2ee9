import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'

interface Module {
  exports: unknown
}

type Body = (module: Module, exports: unknown, require: (name: string) => unknown, filename: string) => void

/**
 * The text of a CommonJS file as `CachedCode` loads it: a function, in one byte a character, for V8 keeps and reads such a
 * text four times as fast. Throws for a character that cannot be written as its escape.
 */
export function loadableText(code: string): string {
  const [raw] = /\\[^\0-\x7f]|String\.raw`[^`]*[^\0-\x7f]/.exec(code) ?? []
  if (raw !== undefined) throw new Error(`cannot be written in ASCII: ${raw}`)
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return `(function (module, exports, require, __filename) {${code.replace(/[^\0-\x7f]/g, escaped)}\n})`
}

/**
 * Loads CommonJS files of one build, each written by `loadableText`, together with what V8 compiled of them before, which
 * lies beside each file: to parse them anew takes a third of a small command. What V8 compiled is named after its version and flags, since it takes no
 * other; a server has flags that commands do not have. Only for Node 20: Node 22 has enableCompileCache.
 */
export class CachedCode {
  readonly #modules = new Map<string, Module>()
  readonly #scripts = new Map<string, Script>()

  /** The exports of a file, which runs once. */
  load(file: string): unknown {
    const known = this.#modules.get(file)
    if (known) return known.exports
    const module: Module = { exports: {} }
    this.#modules.set(file, module)
    const others = createRequire(file)
    const require = (name: string) => (name.startsWith('./') ? this.load(join(dirname(file), name)) : others(name))
    this.#compile(file)(module, module.exports, require, file)
    return module.exports
  }

  /** Leaves beside each file what V8 has compiled of it by now, for processes with the flags that this one has. */
  save(): void {
    for (const [file, script] of this.#scripts) writeFileSync(cacheOf(file), script.createCachedData())
  }

  #compile(file: string): Body {
    const script = new Script(readFileSync(file, 'latin1'), { filename: file, cachedData: compiledOf(file) })
    this.#scripts.set(file, script)
    return script.runInThisContext() as Body
  }
}

const cacheOf = (file: string): string => `${file}.${cachedDataVersionTag().toString(16)}.v8`

function compiledOf(file: string): Buffer | undefined {
  try {
    return readFileSync(cacheOf(file))
  } catch {
    return undefined // a build that was not run yet
  }
}
