import { statSync } from 'node:fs'
import { budgets } from '../../base/budgets/budgets.ts'
import { textLru } from '../../base/growing-lru.ts'
import { AskedProcess } from '../../base/threads/asked-process.ts'
import { askThrough, openThreadBridge, type ThreadBridge } from '../../base/threads/thread-bridge.ts'
import { type Command, runGeneratorHere } from './run-generator.ts'

/** Texts that programs print for `generate()`; a program with a key is run once for all that ask by that key. */
export interface GeneratedTexts {
  /** Throws in Puppet's words where the program fails; it is run again then. */
  textOf(command: Command, key: string | undefined): string
}

type Question = readonly [command: Command, key: string | undefined]

/** Texts of one thread, which runs the programs itself. */
export function generatedTexts(): GeneratedTexts {
  return remembered(runGeneratorHere)
}

/** A worker's texts: its own, and by the bridge those of all workers. */
export function sharedGeneratedTexts(bridge: ThreadBridge): GeneratedTexts {
  const ask = askThrough<Question, string>(bridge)
  return remembered((command, key) => ask([command, key]))
}

/** Texts of all workers, kept by the main thread; a small process runs the programs. */
export class SharedTexts {
  readonly #programs = new AskedProcess<Command, string>(new URL('./generator-process.js', import.meta.url))
  readonly #texts = memory()
  readonly #running = new Map<string, Promise<string>>()

  /** A way to ask for the texts, for one worker. */
  bridge(): ThreadBridge {
    return openThreadBridge(([command, key]: Question) => this.#textOf(command, key))
  }

  /** Ends the process; programs that still run are left to themselves. */
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
 * Names what a command prints within a commit: the commit, the program's file as it is on the disk, and the words;
 * `undefined` where there is no such file.
 */
export function keyOfCommand(commit: string, command: Command): string | undefined {
  const file = statSync(command[0] ?? '', { bigint: true, throwIfNoEntry: false })
  if (!file) return undefined
  const { dev, ino, size, mtimeNs, ctimeNs } = file
  return JSON.stringify([commit, [dev, ino, size, mtimeNs, ctimeNs].join(' '), ...command])
}
