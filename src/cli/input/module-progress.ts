import type { Io } from '../command/command.ts'

/** Milliseconds between two lines for who waits. */
const everyMs = 2000

/** Says how many modules of a Puppetfile are there, a line now and then: git shows what its hooks print line by line. */
export function moduleProgress({ err }: Pick<Io, 'err'>): (done: number, of: number) => void {
  let last = performance.now()
  return (done, of) => {
    if (performance.now() - last < everyMs) return
    last = performance.now()
    err(`Puppetfile: ${done} of ${of} modules\n`)
  }
}
