import { LRUCache } from 'lru-cache'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { openCommandLineCode } from '../../code/environments/environment-opener.ts'
import type { SpecInputs } from './spec-request.ts'

/** Modules and Hiera of an example. One object serves all manifests, so that caches of the modules stay valid. */
type SpecEnvironment = { -readonly [Key in keyof CompileEnvironment]: CompileEnvironment[Key] }

/** Number of combinations of modulepath, hiera.yaml and environment name that are kept open. */
const mostEnvironments = 16

const millisecondsPerSecond = 1000

/** Environments of a suite. Files are read once: changes after the first read are not seen. */
export class SpecEnvironments {
  readonly #open = new LRUCache<string, SpecEnvironment>({ max: mostEnvironments })

  /** Returns the environment with the manifest of the inputs. It is valid until the next call. */
  select({ environment: name, modulepath, hiera, code }: SpecInputs): CompileEnvironment {
    const key = JSON.stringify([name, modulepath, hiera])
    const found = this.#open.get(key) ?? openModules(name, modulepath, hiera)
    this.#open.set(key, found)
    found.manifest = { text: code }
    return found
  }
}

function openModules(name: string, modulepath: readonly string[], hiera: string | undefined): SpecEnvironment {
  const opened = openCommandLineCode({ name, modulepath, manifest: { text: '' }, hiera })
  const { tree, globalHiera } = opened
  // Suites compare times in facts with the current time, which the folder's own time is not.
  Object.defineProperty(tree, 'time', { value: Math.floor(Date.now() / millisecondsPerSecond) })
  return { name, tree, modulepath: opened.modulepath, manifest: { text: '' }, globalHiera, version: 0 }
}
