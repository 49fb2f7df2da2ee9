import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { type Serving, serve } from './serving.ts'

/** Two processors may be shared by many. */
const patience = { interval: 100 }

let repository: ControlRepository
let serving: Serving
beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': "notify { 'good': }\n", 'modules/a/files/f': 'good\n' })
  repository.push({ 'manifests/site.pp': "notify { 'other': }\n" }, 'other')
  serving = await serve({ code_repo: repository.bare })
})
afterAll(() => serving?.stop())

async function state(name: string) {
  return (await serving.server.environments.status()).find((each) => each.name === name)
}

async function catalog(environment: string): Promise<string> {
  const facts = encodeURIComponent(JSON.stringify({ name: 'node.test', values: { kernel: 'Linux' } }))
  const body = new URLSearchParams({ environment, facts_format: 'application/json', facts }).toString()
  const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await serving.call('POST', '/puppet/v3/catalog/node.test', { as: 'node.test', headers, body })
  return answer.text
}

/** Ways in which a disk may lose what a file had. */
const damages: readonly [string, (bytes: Buffer) => Buffer][] = [
  ['empty', () => Buffer.alloc(0)],
  ['cut short', (bytes) => bytes.subarray(0, bytes.length >> 1)],
  ['zeros', (bytes) => Buffer.alloc(bytes.length)],
]

describe('a repository with an object that is damaged', () => {
  it.each(
    [
      ['manifest', ':manifests/site.pp'],
      ['folder', ':manifests'],
      ['tree', '^{tree}'],
      ['commit', ''],
    ].flatMap(([what, path]) => damages.map(([how, damage]) => [what, how, path!, damage] as const)),
  )('%s, %s: all is served as it was, and the new commit once it is whole', async (what, how, path, damage) => {
    const before = (await state('production'))!.commit!
    repository.git('checkout', '--quiet', 'production')
    const text = `notify { '${what} ${how}': }\n`
    const commit = repository.push({ 'manifests/site.pp': text })
    repository.gitBare('update-ref', 'refs/heads/production', before)
    const oid = repository.gitBare('rev-parse', `${commit}${path}`)
    const file = join(repository.bare, 'objects', oid.slice(0, 2), oid.slice(2))
    const whole = readFileSync(file)
    chmodSync(file, 0o644)
    writeFileSync(file, damage(whole))
    // As a crash of the machine leaves it: the ref is there, and what it names is not.
    writeFileSync(join(repository.bare, 'refs/heads/production'), `${commit}\n`)
    await serving.server.environments.refresh()
    expect(await state('production')).toMatchObject({
      commit: before,
      refused: { reason: expect.stringContaining(oid) },
    })
    expect(await catalog('production')).toContain(before)
    await expect.poll(() => catalog('other'), patience).toContain('"other"')

    writeFileSync(file, whole)
    await expect
      .poll(async () => {
        await serving.server.environments.refresh()
        return (await state('production'))?.commit
      }, patience)
      .toBe(commit)
    expect(await catalog('production')).toContain(`${what} ${how}`)
  })
})
