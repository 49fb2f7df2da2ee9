import { statSync } from 'node:fs'
import { budgets } from '../../base/budgets/budgets.ts'
import { textLru } from '../../base/growing-lru.ts'
import { AskedProcess } from '../../base/threads/asked-process.ts'
import { askThrough, openThreadBridge, type ThreadBridge } from '../../base/threads/thread-bridge.ts'
import { type Command, runGeneratorHere } from './run-generator.ts'

/** Cached output of programs for `generate()`. With a key, the program runs once for all callers. */
export interface GeneratedTexts {
  /** Returns a program's output. Throws Puppet's message if the program fails; failures are not cached. */
  textOf(command: Command, key: string | undefined): string
}

type Question = readonly [command: Command, key: string | undefined]

/** Creates the cache of one thread, which runs the programs itself. */
export function generatedTexts(): GeneratedTexts {
  return remembered(runGeneratorHere)
}

/** Creates a worker's cache, backed by the shared cache on the other side of the bridge. */
export function sharedGeneratedTexts(bridge: ThreadBridge): GeneratedTexts {
  const ask = askThrough<Question, string>(bridge)
  return remembered((command, key) => ask([command, key]))
}

/** The cache of all workers, owned by the main thread; a small process runs the programs. */
export class SharedTexts {
  readonly #programs = new AskedProcess<Command, string>(new URL('./generator-process.js', import.meta.url))
  readonly #texts = memory()
  readonly #running = new Map<string, Promise<string>>()

  /** Opens a bridge to the cache for one worker. */
  bridge(): ThreadBridge {
    return openThreadBridge(([command, key]: Question) => this.#textOf(command, key))
  }

  /** Ends the process; programs that are still running are not stopped. */
  close(): void {
    this.#programs.close()
  }

  #textOf(command: Command, key: string | undefined): string | Promise<string> {
    if (key === undefined) return this.#programs.ask(command)
    return this.#texts.get(key)?.text ?? this.#running.get(key) ?? this.#run(command, key)
  }

  async #run(command: Command, key: string): Promise<string> {
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

function remembered(make: (command: Command, key: string | undefined) => string): GeneratedTexts {
  const texts = memory()
  return {
    textOf(command, key) {
      const known = key === undefined ? undefined : texts.get(key)
      const text = known?.text ?? make(command, key)
      if (key !== undefined && !known) texts.set(key, { text })
      return text
    },
  }
}

const memory = () => textLru(budgets.environment.generatedTexts.bound)

/**
 * Returns the cache key of a command: the commit, the state of the program's file, and the
 * arguments; `undefined` if the file is missing.
 */
export function keyOfCommand(commit: string, command: Command): string | undefined {
  const file = statSync(command[0] ?? '', { bigint: true, throwIfNoEntry: false })
  if (!file) return undefined
  const { dev, ino, size, mtimeNs, ctimeNs } = file
  return JSON.stringify([commit, [dev, ino, size, mtimeNs, ctimeNs].join(' '), ...command])
}
