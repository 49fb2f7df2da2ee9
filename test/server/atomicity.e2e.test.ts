import { createHash } from 'node:crypto'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { type Serving, serve } from './serving.ts'

const pushes = 50
const requests = 200

let repository: ControlRepository
let serving: Serving
/** The number of each commit, by its id. */
const numbers = new Map<string, number>()

const filesOf = (number: number) => ({
  'manifests/site.pp': `include demo\nnotify { 'site ${number}': }\n`,
  'modules/demo/manifests/init.pp': `class demo { notify { 'class ${number}': } file { '/tmp/a': source => 'puppet:///modules/demo/a.txt' } }\n`,
  'modules/demo/files/a.txt': `content ${number}\n`,
})

beforeAll(async () => {
  repository = controlRepository(filesOf(0))
  numbers.set(repository.git('rev-parse', 'HEAD'), 0)
  for (let number = 1; number <= pushes; number++) numbers.set(repository.push(filesOf(number), 'elsewhere'), number)
  serving = await serve({ code_repo: repository.bare })
})

afterAll(async () => {
  await serving?.stop()
})

describe('pushes', () => {
  it('never mix: a catalog is wholly of the commit that it names, and so are its files', async () => {
    const seen = new Set<number>()
    let pushing = true
    const push = async () => {
      for (const [commit, number] of numbers) {
        if (number === 0) continue
        await execa('git', ['push', '--quiet', '--force', 'origin', `${commit}:refs/heads/production`], {
          cwd: repository.work,
        })
        await serving.server.environments.refresh()
        // Pushes may come faster than catalogs are made; some of them are given the time to be seen.
        if (number % 4 === 0) await expect.poll(() => seen.has(number), { interval: 5 }).toBe(true)
      }
      pushing = false
    }
    let made = 0
    const ask = async () => {
      while (made < requests || pushing) {
        made++
        seen.add(await checkOne())
      }
    }
    await Promise.all([push(), ask(), ask(), ask(), ask()])
    expect(made).toBeGreaterThanOrEqual(requests)
    expect(seen.size).toBeGreaterThan(10)
  })
})

/** One catalog and its file; answers the number of its commit. */
async function checkOne(): Promise<number> {
  const answer = await serving.call('POST', '/puppet/v3/catalog/a.test?environment=production', {
    as: 'a.test',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: 'environment=production&static_catalog=true&checksum_type=sha256',
  })
  expect(answer.status).toBe(200)
  const catalog = JSON.parse(answer.text)
  const number = numbers.get(catalog.code_id)!
  const titles = (catalog.resources as { type: string; title: string }[])
    .filter(({ type }) => type === 'Notify')
    .map(({ title }) => title)
  expect(titles.sort()).toEqual([`class ${number}`, `site ${number}`])
  const sum = createHash('sha256').update(`content ${number}\n`).digest('hex')
  expect(catalog.metadata['/tmp/a'].checksum.value).toBe(`{sha256}${sum}`)
  const file = await serving.call(
    'GET',
    `/puppet/v3/static_file_content/modules/demo/files/a.txt?environment=production&code_id=${catalog.code_id}`,
    { as: 'a.test' },
  )
  expect(file.text).toBe(`content ${number}\n`)
  return number
}
