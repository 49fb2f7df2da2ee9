import { statSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets.ts'
import { askThrough, openThreadBridge, type ThreadBridge } from '../../base/thread-bridge.ts'

/** Texts that programs printed for `generate()`. */
export interface GeneratedTexts {
  get(key: string): string | undefined
  set(key: string, text: string): void
}

type Question = readonly ['known', key: string] | readonly ['printed', key: string, text: string]

/** Texts in one thread, of any length; the text that was not used for the longest time is forgotten first. */
const mostTexts = 20_000

/** Texts of one thread, or of the main one for all. */
export function generatedTexts(): GeneratedTexts {
  const texts = new LRUCache<string, { readonly text: string }>({
    max: mostTexts,
    maxSize: budgets.environment.generatedTexts.bound,
    sizeCalculation: ({ text }, key) => key.length + text.length,
  })
  return { get: (key) => texts.get(key)?.text, set: (key, text) => void texts.set(key, { text }) }
}

/** The main thread's end: `texts` for a worker. */
export function openGeneratedTexts(texts: GeneratedTexts): ThreadBridge {
  return openThreadBridge(([kind, key, text = '']: Question) =>
    kind === 'known' ? texts.get(key) : texts.set(key, text),
  )
}

/** A worker's texts: its own, and by the bridge those of all workers. */
export function sharedGeneratedTexts(bridge: ThreadBridge): GeneratedTexts {
  const ask = askThrough<Question, string | undefined>(bridge)
  const own = generatedTexts()
  return {
    get(key) {
      const known = own.get(key)
      if (known !== undefined) return known
      const told = ask(['known', key])
      if (told !== undefined) own.set(key, told)
      return told
    },
    set(key, text) {
      own.set(key, text)
      ask(['printed', key, text])
    },
  }
}

/**
 * Names what a command prints within a commit: the commit, the program's file as it is on the disk, and the words;
 * `undefined` where there is no such file.
 */
export function keyOfCommand(commit: string, command: readonly string[]): string | undefined {
  const file = statSync(command[0] ?? '', { bigint: true, throwIfNoEntry: false })
  if (!file) return undefined
  const { dev, ino, size, mtimeNs, ctimeNs } = file
  return JSON.stringify([commit, [dev, ino, size, mtimeNs, ctimeNs].join(' '), ...command])
}
