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
 * Loads CommonJS files of one build together with what V8 compiled of them before, which lies beside each file: to parse
 * them anew takes a third of a small command. What V8 compiled is named after its version and flags, since it takes no
 * other; a server has flags that commands do not have. Node 22 has this as enableCompileCache.
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
    const text = `(function (module, exports, require, __filename) {${readFileSync(file, 'utf8')}\n})`
    const script = new Script(text, { filename: file, cachedData: compiledOf(file) })
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
