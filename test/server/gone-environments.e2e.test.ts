import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'

let repository: ControlRepository
let serving: Serving
let said: string

beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': 'notify { "in ${environment}": }\n' })
  repository.push({}, 'feature/x')
  repository.push({ 'environment.conf': 'manifest = /etc\n' }, 'refused')
  for (let index = 0; index < 12; index++) repository.git('push', '--quiet', 'origin', `production:z${index}`)
  const folder = scratchFolder('classifier')
  const program = join(folder, 'enc')
  said = join(folder, 'said')
  writeFileSync(program, `#!/bin/sh\ncat ${said}\n`)
  chmodSync(program, 0o755)
  serving = await serve({
    code_repo: repository.bare,
    node_terminus: 'exec',
    external_nodes: program,
    node_cache_terminus: 'json',
  })
})

afterAll(async () => {
  await serving?.stop()
})

beforeEach(() => classify('environment: production'))

const classify = (yaml: string) => writeFileSync(said, `${yaml}\n`)

const facts = encodeURIComponent(JSON.stringify({ name: 'a.test', values: {} }))
const catalog = async (
  environment: string,
  fields: Readonly<Record<string, string>> = { check_environment: 'true' },
) => {
  const form = new URLSearchParams({ environment, facts_format: 'application/json', facts, ...fields })
  const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }
  const asked = { as: 'a.test', headers, body: form.toString() }
  const { status, text } = await serving.call('POST', `/puppet/v3/catalog/a.test?environment=${environment}`, asked)
  return { status, ...JSON.parse(text) }
}
const node = async (environment: string) => {
  const asked = { as: 'a.test', headers: { accept: 'application/json' } }
  const { status, text } = await serving.call('GET', `/puppet/v3/node/a.test?environment=${environment}`, asked)
  return { status, ...JSON.parse(text) }
}

const sentence = (name: string) =>
  `Could not find a directory environment named '${name}' anywhere in the path: ${serving.settings.environmentpath.join(':')}. Does the directory exist?`

describe('a node that asks for an environment that is gone', () => {
  it('is told to which it belongs', async () => {
    expect(await catalog('gone')).toMatchObject({ status: 200, environment: 'production', resources: [] })
  })

  it('gets the catalog of that, if it does not care', async () => {
    const answer = await catalog('gone', {})
    expect([answer.status, answer.environment]).toEqual([200, 'production'])
    expect(JSON.stringify(answer.resources)).toContain('in production')
  })

  it('is believed by no cache to belong to what its classifier said before', async () => {
    classify('environment: feature_x')
    expect((await catalog('production')).environment).toBe('feature_x')
    classify('environment: production')
    expect((await catalog('feature_x')).environment).toBe('production')
  })

  it("belongs to the server's own where the classifier leaves that open", async () => {
    classify('{}')
    expect(await catalog('gone')).toMatchObject({ status: 200, environment: 'production', resources: [] })
    expect(await catalog('feature_x')).toMatchObject({ status: 200, environment: 'feature_x' })
    expect(await node('feature_x')).toMatchObject({ status: 200, environment: 'feature_x' })
  })

  it('is refused where the classifier names it', async () => {
    classify('environment: gone')
    expect(await catalog('gone')).toMatchObject({ status: 500, message: `Server Error: ${sentence('gone')}` })
  })
})

describe('a classifier that names an environment that is not there', () => {
  it('sends nobody there', async () => {
    classify('environment: prodcution')
    expect(await catalog('production')).toMatchObject({
      status: 500,
      message: `Server Error: Failed when searching for node a.test: ${sentence('prodcution')}`,
    })
    expect(await node('production')).toMatchObject({
      status: 500,
      message: `Server Error: ${sentence('prodcution')}`,
    })
  })
})

describe('the hint', () => {
  it('names the repository, the nearest branch and some others', async () => {
    classify('environment: prodcution')
    const { hint } = await catalog('production')
    expect(hint).toMatch(/^Did you mean 'production'\? Branches served from .*\/code\.git: feature_x \(feature\/x\), /)
    expect(hint).toMatch(/, production, z0, .* and 4 more\.$/)
    expect(hint).toContain(repository.bare)
  })

  it('is the same for a file', async () => {
    const asked = '/puppet/v3/file_metadata/modules/demo/a?environment=nope'
    const { status, text } = await serving.call('GET', asked, { as: 'a.test', headers: { accept: 'application/json' } })
    const { message, hint } = JSON.parse(text)
    expect([status, message]).toEqual([404, "Not Found: Could not find environment 'nope'"])
    expect(hint).toMatch(/^Branches served from .*\/code\.git: /)
  })

  it('says of a branch that it is there and refused', async () => {
    classify('environment: refused')
    const { hint } = await catalog('production')
    expect(hint).toMatch(/^The branch refused of .*code\.git exists, but none of its commits can be served/)
  })

  it("keeps a classifier's standard error from nodes", async () => {
    writeFileSync(said, '- a list\n')
    expect(await catalog('production')).toMatchObject({
      status: 500,
      message: expect.stringContaining('must be a hash'),
    })
    const folder = serving.settings.external_nodes.replace(/enc$/, '')
    chmodSync(join(folder, 'enc'), 0o755)
    writeFileSync(join(folder, 'enc'), '#!/bin/sh\necho password=hush >&2\nexit 3\n')
    for (const answer of [await catalog('production'), await node('production')]) {
      expect(answer).toMatchObject({ status: 500, message: expect.stringContaining('returned 3') })
      expect(JSON.stringify(answer)).not.toContain('hush')
    }
    expect(serving.log.join('')).toContain('hush')
  })
})
