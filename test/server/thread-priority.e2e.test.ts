import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { controlRepository } from '../support/control-repository.ts'
import { startServer } from '../support/plumb.ts'

/** How nice a thread is to others, as Linux counts it. */
function niceness(pid: number, thread: number | string): number {
  const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
  // The name may have blanks in it; what follows begins with the third field.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
}

it.runIf(process.platform === 'linux')('has what compiles stand back behind the event loop', async () => {
  const repository = controlRepository({ 'manifests/site.pp': '' })
  const server = await startServer({ repository: repository.bare })
  try {
    const pid = server.process.pid!
    const own = niceness(pid, pid)
    const behind = () => readdirSync(`/proc/${pid}/task`).filter((each) => niceness(pid, each) === own + 5)
    await expect.poll(() => behind().length).toBeGreaterThan(0)
    expect(niceness(pid, pid)).toBe(own)
  } finally {
    await server.stop()
  }
})
