import { statSync } from 'node:fs'
import { budgets } from '../../base/budgets/budgets.ts'
import { createTextLru } from '../../base/lru-cache.ts'
import { createBridgeCaller, openThreadBridge, type ThreadBridge } from '../../base/threads/thread-bridge.ts'
import { WorkerProcess } from '../../base/threads/worker-process.ts'
import { type GeneratorCommand, runGeneratorSync } from './generator-command.ts'

/** Cached output of programs for `generate()`. With a key, a program runs once for all callers with the same key. */
export interface GeneratorCache {
  /** Returns the output of a program. Throws Puppet's message if the program fails; a failure is not cached. */
  getOutput(command: GeneratorCommand, key: string | undefined): string
}

type Question = readonly [command: GeneratorCommand, key: string | undefined]

/** Creates the cache of one thread, which runs the programs itself. */
export function createGeneratorCache(): GeneratorCache {
  return createOutputCache(runGeneratorSync)
}

/**
 * Creates the cache of a worker. If the output is not cached, the worker requests it from the shared cache through the
 * bridge.
 */
export function createSharedGeneratorCache(bridge: ThreadBridge): GeneratorCache {
  const ask = createBridgeCaller<Question, string>(bridge)
  return createOutputCache((command, key) => ask([command, key]))
}

/** The cache that all workers share; it belongs to the main thread. A small process runs the programs. */
export class SharedGeneratorCache {
  readonly #programs = new WorkerProcess<GeneratorCommand, string>(new URL('./generator-process.js', import.meta.url))
  readonly #texts = createTextCache()
  readonly #running = new Map<string, Promise<string>>()

  /** Opens a bridge to the cache for one worker. */
  bridge(): ThreadBridge {
    return openThreadBridge(([command, key]: Question) => this.#getOutput(command, key))
  }

  /** Ends the process that runs programs; does not end programs that are still running. */
  close(): void {
    this.#programs.close()
  }

  #getOutput(command: GeneratorCommand, key: string | undefined): string | Promise<string> {
    if (key === undefined) return this.#programs.ask(command)
    return this.#texts.get(key)?.text ?? this.#running.get(key) ?? this.#run(command, key)
  }

  async #run(command: GeneratorCommand, key: string): Promise<string> {
    const running = this.#programs.ask(command)
    this.#running.set(key, running)
    try {
      const text = await running
      this.#texts.set(key, { text })
      return text
    } finally {
      this.#running.delete(key)
    }
  }
}

function createOutputCache(make: (command: GeneratorCommand, key: string | undefined) => string): GeneratorCache {
  const texts = createTextCache()
  return {
    getOutput(command, key) {
      const known = key === undefined ? undefined : texts.get(key)
      const text = known?.text ?? make(command, key)
      if (key !== undefined && !known) texts.set(key, { text })
      return text
    },
  }
}

const createTextCache = () => createTextLru(budgets.environment.generatedTexts.bound)

/**
 * Returns the cache key of a command, which contains the commit, the state of the program's file, and the arguments.
 * `undefined` if the file does not exist.
 */
export function computeCommandKey(commit: string, command: GeneratorCommand): string | undefined {
  const file = statSync(command[0] ?? '', { bigint: true, throwIfNoEntry: false })
  if (!file) return undefined
  const { dev, ino, size, mtimeNs, ctimeNs } = file
  return JSON.stringify([commit, [dev, ino, size, mtimeNs, ctimeNs].join(' '), ...command])
}
