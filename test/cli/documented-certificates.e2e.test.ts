import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { plumb, type RunningServer, startServer } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

let repository: ControlRepository
let server: RunningServer
beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': '' })
  server = await startServer({ repository: repository.bare, settings: { autosign: 'false' } })
})
afterAll(async () => {
  await server?.stop()
})

/** The commands of a section of a document, without their comments. */
function commandsIn(document: string, heading: string): string[] {
  const text = readFileSync(resolve(import.meta.dirname, '../../docs', document), 'utf8')
  const section = text.split(/^##+ /m).find((each) => each.startsWith(`${heading}\n`)) ?? ''
  return section
    .split('\n')
    .filter((line) => line.startsWith('    plumb '))
    .map((line) => line.replace(/#.*/, '').trim())
}

const node = scratchFolder('documented')
const places = ['--confdir', join(node, 'etc'), '--vardir', join(node, 'var'), '--certname', 'node1.test']

/** Runs a documented command, where it belongs, with the names of this test. */
async function follow(command: string): Promise<number | undefined> {
  const named = command.replaceAll('puppet.example.test', 'localhost').replaceAll('node1.example.test', 'node1.test')
  const [, ...words] = named.split(/ +/)
  const to = ['--server', 'localhost', '--serverport', String(server.port), '--waitforcert', '0', '--key_type', 'ec']
  const { exitCode } = await plumb([...words, ...(words[0] === 'ca' ? server.places : [...places, ...to])])
  return exitCode
}

it('a node gets a certificate, a new one, and a renewed one, as the documents say', async () => {
  const again = commandsIn('agent.md', 'A new certificate for a node')
  const renewal = commandsIn('server.md', 'When certificates end')
  expect([again.length, renewal.length]).toEqual([7, 3])
  const [, , first, sign, second] = again
  // The first run ends because nobody has signed yet.
  expect([await follow(first!), await follow(sign!), await follow(second!)]).toEqual([1, 0, 0])
  const statuses: (number | undefined)[] = []
  for (const command of [...again, ...renewal]) statuses.push(await follow(command))
  expect(statuses).toEqual([0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
  server.process.kill('SIGHUP')
  await expect.poll(() => server.output()).toContain('reloaded')
  expect(await follow('plumb agent --test')).toBe(0)
})
