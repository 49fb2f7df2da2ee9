import { existsSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

it('a second server reports the port in use first, and leaves the folders of the first alone', async () => {
  const first = createServer()
  await new Promise<void>((done) => first.listen({ port: 0, host: '127.0.0.1' }, done))
  const { port } = first.address() as AddressInfo
  const vardir = join(scratchFolder('server-port'), 'var')
  const places = ['--confdir', vardir, '--vardir', vardir, '--bindaddress', '127.0.0.1', '--serverport', String(port)]
  try {
    const { status, out, err } = await runHere(['server', ...places])
    expect([status, out]).toEqual([1, ''])
    expect(err).toMatch(
      new RegExp(`^Error: Could not listen on 127.0.0.1:${port}: another program already listens there\\n`),
    )
    expect(existsSync(vardir)).toBe(false)
  } finally {
    await new Promise((done) => first.close(done))
  }
})
