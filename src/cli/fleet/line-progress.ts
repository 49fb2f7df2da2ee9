import { toPrintable } from '../../base/text/printable.ts'
import type { Io } from '../command/command.ts'
import { createProgressCounter } from './fleet.ts'

/** Milliseconds between two progress lines. */
const everyMs = 10_000

/**
 * Progress of a compilation. On a terminal, one line that is overwritten; otherwise, a new line every `everyMs`,
 * because git prints the output of hooks line by line.
 */
export function createLineProgress(what: string, total: number, io: Io): { done(node: string): void; clear(): void } {
  if (io.color) return createProgressCounter(total, io)
  const done = new Set<string>()
  let last = performance.now()
  return {
    done(node) {
      done.add(node)
      if (performance.now() - last < everyMs || done.size === total) return
      last = performance.now()
      io.err(`${toPrintable(what)}: ${done.size} of ${total} nodes\n`)
    },
    clear() {},
  }
}
