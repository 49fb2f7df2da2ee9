import { type ChildProcess, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { type RunningServer, startServer } from '../support/plumb.ts'

const large = 2_000_000

let repository: ControlRepository
let server: RunningServer | undefined
beforeEach(() => {
  repository = controlRepository({
    'manifests/site.pp': '',
    'modules/demo/files/large': 'x'.repeat(large),
    'modules/demo/files/other': 'y'.repeat(large),
    'modules/demo/files/small': 'small',
  })
})
afterEach(async () => {
  await server?.stop()
})

/** Asks for a file with the server's own certificate, over one connection that stays. */
function asker({ confdir, port }: RunningServer) {
  const file = (path: string) => readFileSync(join(confdir, 'ssl', path))
  const tls = { ca: file('certs/ca.pem'), cert: file('certs/localhost.pem'), key: file('private_keys/localhost.pem') }
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ...tls })
  const headers = { accept: 'application/octet-stream' }
  const ask = (name: string) =>
    new Promise<{ status: number; bytes: number; text: string; retryAfter: string | undefined }>((done, failed) => {
      const path = `/puppet/v3/file_content/modules/demo/${name}?environment=production`
      const asked = request({ host: 'localhost', port, path, headers, agent }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          const bytes = Buffer.concat(chunks)
          const text = bytes.subarray(0, 200).toString()
          const retryAfter = answer.headers['retry-after']
          done({ status: answer.statusCode ?? 0, bytes: bytes.length, text, retryAfter })
        })
      })
      asked.on('error', failed)
      asked.end()
    })
  return { ask, close: () => agent.destroy() }
}

/** How many descriptors a process that runs may have; those that it has stay. */
function allowDescriptors({ pid }: ChildProcess, count: number): void {
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${count}:`])
}

/** Linux alone lets the limit of a process that runs be moved. */
describe.runIf(process.platform === 'linux')('a server at its limit of descriptors', () => {
  it('refuses what needs a descriptor, serves what needs none, and goes on when there are some again', async () => {
    server = await startServer({ repository: repository.bare, descriptors: 150 })
    const { ask, close } = asker(server)
    expect(await ask('large')).toMatchObject({ status: 200, bytes: large })
    // Connections alone do not get it there: they leave some to files and programs.
    allowDescriptors(server.process, 10)
    expect(await ask('other')).toMatchObject({
      status: 503,
      text: expect.stringMatching(/could not be written to a file: EMFILE/),
      retryAfter: '10',
    })
    expect(await ask('large')).toMatchObject({ status: 200, bytes: large })
    expect(await ask('small')).toMatchObject({ status: 200, text: 'small' })
    expect(server.process.exitCode).toBeNull()
    allowDescriptors(server.process, 150)
    await expect.poll(async () => (await ask('other')).status, { interval: 200 }).toBe(200)
    close()
    expect(await server.stop()).toBe(0)
    server = undefined
  }, 180_000)
})
