import type { Io } from '../command/command.ts'

/** Milliseconds between two progress lines. */
const everyMs = 2000

/** Prints the number of fetched modules every `everyMs`, as whole lines: git prints the output of hooks line by line. */
export function createModuleProgress({ err }: Pick<Io, 'err'>): (done: number, of: number) => void {
  let last = performance.now()
  return (done, of) => {
    if (performance.now() - last < everyMs) return
    last = performance.now()
    err(`Puppetfile: ${done} of ${of} modules\n`)
  }
}
