import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { type Serving, serve } from './serving.ts'

/** What an attacker writes: a backtracking matcher would not come back. */
const stars = `${'*a'.repeat(40)}*b`
const braces = '{a,b}'.repeat(300)

let repository: ControlRepository
let serving: Serving

beforeAll(async () => {
  repository = controlRepository({
    'manifests/site.pp': "notify { 'x': }\n",
    [`modules/m/files/tree/${'a'.repeat(100)}`]: 'a\n',
    'modules/m/files/tree/kept': 'b\n',
  })
  serving = await serve({ code_repo: repository.bare })
})
afterAll(async () => {
  await serving?.stop()
})

function search(ignore: readonly string[]): Promise<{ status: number; text: string }> {
  const query = ignore.map((each) => `ignore=${encodeURIComponent(each)}`).join('&')
  const path = `/puppet/v3/file_metadatas/modules/m/tree?environment=production&recurse=true&${query}`
  return serving.call('GET', path, { as: 'a.test', headers: { accept: 'application/json' } })
}

describe('a search of files', () => {
  it.each([
    ['300 stars', [`${'*'.repeat(300)}x`], 3],
    ['stars apart', [stars], 3],
    ['stars that match', [`${'*a'.repeat(50)}*`], 2],
    ['300 pairs of braces, which are literal here', [braces], 3],
    ['200 patterns', Array.from({ length: 200 }, () => '*a*a*a*a*b'), 3],
  ])('is answered at once with %s to ignore', async (_, ignore, found) => {
    const { status, text } = await search(ignore)
    expect(status).toBe(200)
    expect(JSON.parse(text)).toHaveLength(found)
  })

  it.each([
    ['300 patterns', Array.from({ length: 300 }, () => '*'), 'The parameter ignore has 300 patterns'],
    ['a long one', ['a'.repeat(5000)], 'has 5000 characters, which exceeds the limit of 4096'],
  ])('is refused with %s to ignore', async (_, ignore, message) => {
    const { status, text } = await search(ignore)
    expect([status, text]).toEqual([400, expect.stringContaining(message)])
  })
})

describe('auth.conf', () => {
  const conf = (rules: string) => `authorization: { version: 1, rules: [${rules}] }`
  const allowed = '{ name: all, match-request: { path: "/", type: path }, allow: "*", sort-order: 900 }'
  const nested = (path: string, name = 'bad') =>
    `{ name: ${name}, sort-order: 500, match-request: { path: "${path}", type: regex }, allow: "*" }`

  it('has patterns that a long path does not stop', async () => {
    const file = serving.settings.auth_conf
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, conf(`${nested('^(/?a+)+$')}, ${nested('^/(.*a){20}x$', 'worse')}, ${allowed}`))
    await serving.server.reload()
    const path = `/puppet/v3/status/${'a'.repeat(8000)}!`
    expect((await serving.call('GET', path, { as: 'a.test' })).status).toBe(404)
  })

  it('is refused with what no linear engine has, and the one before holds', async () => {
    writeFileSync(serving.settings.auth_conf, conf(nested('^/(?!secret)')))
    await expect(serving.server.reload()).rejects.toThrow(
      "rule 'bad': The regular expression '^/(?!secret)' cannot be used: lookaround is not supported: `(?!`",
    )
    expect((await serving.call('GET', '/puppet/v3/status/a', { as: 'a.test' })).status).toBe(404)
  })
})

describe('a push', () => {
  const served = async (environment: string) =>
    (
      await serving.call('GET', `/puppet/v3/node/a.test?environment=${environment}`, {
        as: 'a.test',
        headers: { accept: 'application/json' },
      })
    ).status

  it.each([
    ['stars', `modulepath = ${stars}\n`, 200],
    ['folders at any depth', `modulepath = ${'**/*/'.repeat(200)}modules:modules\n`, 200],
    ['braces that multiply', `modulepath = ${braces}\n`, 404],
    ['braces that are not closed', `modulepath = ${braces}{\n`, 404],
    ['a million folders', `modulepath = ${'*:'.repeat(1_000_000)}\n`, 404],
  ])('of a modulepath with %s stops no environment', async (name, conf, status) => {
    const branch = name.replaceAll(' ', '_')
    const files = {
      'environment.conf': conf,
      [`modules/m/manifests/init.pp`]: 'class m {}\n',
      ...Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${'a'.repeat(30 + at)}/x`, ''])),
    }
    repository.push(files, branch)
    await serving.server.environments.refresh()
    expect(await served(branch)).toBe(status)
    expect(await served('production')).toBe(200)
  })

  it('of a hierarchy with stars fails no one else', async () => {
    const files = {
      'environment.conf': '',
      'hiera.yaml': `version: 5\nhierarchy: [{name: a, globs: ["${stars}", "${'**/*/'.repeat(200)}x"]}, {name: b, globs: ["${braces}"]}]\n`,
      [`data/${'a'.repeat(100)}`]: '',
      'manifests/site.pp': "notify { lookup('x', default_value => 'none'): }\n",
    }
    repository.push(files, 'hierarchy')
    await serving.server.environments.refresh()
    const answer = await serving.call('POST', '/puppet/v3/catalog/a.test?environment=hierarchy', {
      as: 'a.test',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'facts_format=application%2Fjson&facts=%7B%22name%22%3A%22a.test%22%2C%22values%22%3A%7B%7D%7D',
    })
    expect([answer.status, answer.text]).toEqual([500, expect.stringContaining('has more than 64 braces')])
  })
})
