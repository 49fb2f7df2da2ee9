import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { controlRepository } from '../../support/control-repository.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Serving, serve } from '../serving.ts'
import { plugInFolder } from './ruby-plug-ins/owner.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/plug-ins.md'), 'utf8')
/** The indirection of the page, in both languages, by paths. */
const examples = Object.fromEntries(
  [...page.matchAll(/^`((?:indirections|puppet)\/[\w/]*owner\w*[\w/]*\.(?:js|rb))`:\n\n```\w+\n([\s\S]*?)^```$/gm)].map(
    ([, path, text]) => [path!, text!],
  ),
)
const inRuby = Object.fromEntries(Object.entries(examples).filter(([path]) => path.endsWith('.rb')))
const inJavaScript = Object.fromEntries(Object.entries(examples).filter(([path]) => path.endsWith('.js')))

let serving: Serving | undefined
afterEach(async () => {
  await serving?.stop()
  serving = undefined
})

const rules = `authorization: { version: 1, rules: [
  { name: "owner", sort-order: 500, match-request { path: "^/puppet/v3/owner/([^/]+)$", type: regex, method: [get, head, post] }, allow: "$1" },
  { name: "owners", sort-order: 500, match-request { path: "^/puppet/v3/owners?/", type: regex }, allow: "admin" },
  { name: "stamp", sort-order: 500, match-request { path: "/puppet/v3/stamp", type: path }, allow: "*" }
] }`

async function start(files: Readonly<Record<string, string>>, authorization = rules): Promise<Serving> {
  const repository = controlRepository({ 'manifests/site.pp': 'node default { }\n' })
  const folder = scratchFolder('auth')
  writeFileSync(join(folder, 'auth.conf'), authorization)
  const given: Readonly<Record<string, string>> = authorization === '' ? {} : { auth_conf: join(folder, 'auth.conf') }
  serving = await serve({ code_repo: repository.bare, server_plugins: plugInFolder(files), ...given })
  return serving
}

const asked = (
  { call }: Serving,
  method: string,
  path: string,
  as: string,
  body?: string,
  headers: Readonly<Record<string, string>> = { accept: 'application/json', 'content-type': 'application/json' },
) =>
  call(method, `/puppet/v3/${path}?environment=production`, { as, headers, ...(body !== undefined && { body }) }).then(
    ({ status, text }) => [status, text] as const,
  )

describe('an indirection of the owner', () => {
  it('is on the page in both languages', () =>
    expect(Object.keys(examples)).toEqual([
      'indirections/owner.js',
      'puppet/owner.rb',
      'puppet/indirector/owner/memory_only.rb',
    ]))

  it.each([
    ['JavaScript', inJavaScript],
    ['Ruby', inRuby],
  ])('in %s is found, searched, saved and destroyed, by whom auth.conf lets', async (_, files) => {
    const server = await start(files)
    expect(await asked(server, 'GET', 'owner/a.test', 'a.test')).toEqual([
      404,
      expect.stringContaining('Not Found: Could not find owner a.test'),
    ])
    expect(await asked(server, 'PUT', 'owner/a.test', 'a.test', '{"team":"x"}')).toEqual([403, expect.anything()])
    expect(await asked(server, 'PUT', 'owner/a.test', 'admin', '{"team":"ops"}')).toEqual([200, 'null'])
    expect(await asked(server, 'PUT', 'owner/b.test', 'admin', '{"team":"web"}')).toEqual([200, 'null'])
    const [status, text] = await asked(server, 'GET', 'owner/a.test', 'a.test')
    expect([status, JSON.parse(text)]).toEqual([200, { name: 'a.test', team: 'ops' }])
    expect((await asked(server, 'POST', 'owner/a.test', 'a.test', ''))[0]).toBe(200)
    expect((await asked(server, 'GET', 'owner/b.test', 'a.test'))[0]).toBe(403)
    const [, all] = await asked(server, 'GET', 'owners/ops', 'admin')
    expect(JSON.parse(all)).toEqual([{ name: 'a.test', team: 'ops' }])
    expect((await asked(server, 'DELETE', 'owner/a.test', 'admin'))[0]).toBe(200)
    expect((await asked(server, 'GET', 'owner/a.test', 'a.test'))[0]).toBe(404)
    for (const [method, path, body, expected] of [
      ['PUT', 'owner/a.test', '{', [400, 'Could not intern from json']],
      ['PUT', 'owner/a.test', `{"team":"${'x'.repeat(2 ** 20)}"}`, [413, '']],
      ['PUT', 'owner/a.test', '{"team":[]}', [500, 'no team']],
      ['GET', 'owner/', undefined, [400, 'No request key specified']],
    ] as const) {
      const [code, words] = await asked(server, method, path, 'admin', body)
      expect([code, words]).toEqual([expected[0], expect.stringContaining(expected[1])])
    }
    const { status: missing, text: why } = await server.call('GET', '/puppet/v3/owner/a.test', { as: 'a.test' })
    expect([missing, why]).toEqual([400, expect.stringContaining('An environment parameter must be specified')])
    expect((await asked(server, 'GET', 'owner/a.test', 'a.test', undefined, { accept: 'text/plain' }))[0]).not.toBe(200)
  })

  it('is for nobody without a rule', async () => {
    const server = await start(inJavaScript, '')
    for (const as of ['a.test', 'admin']) expect((await asked(server, 'GET', 'owner/a.test', as))[0]).toBe(403)
  })

  it('may have a media type of its own, and read what is posted', async () => {
    const stamp = `export const type = 'application/x-stamp'
      export const create = () => ({
        find: ({ key, body = [] }) => key === 'wrong' ? {} : Buffer.from([0, 255, body.length]),
        save() {},
      })`
    const server = await start({ 'indirections/stamp.js': stamp })
    const headers = { accept: 'application/x-stamp', 'content-type': 'application/x-stamp' }
    const answer = await server.call('POST', '/puppet/v3/stamp/k?environment=production', {
      as: 'a.test',
      headers,
      body: Buffer.from([1, 2, 3]),
    })
    expect([answer.status, answer.headers['content-type'], [...answer.bytes]]).toEqual([
      200,
      'application/x-stamp',
      [0, 255, 3],
    ])
    expect((await asked(server, 'GET', 'stamp/k', 'a.test'))[0]).toBe(406)
    expect((await asked(server, 'PUT', 'stamp/k', 'a.test', '{}'))[0]).toBe(415)
    expect(await asked(server, 'GET', 'stamp/wrong', 'a.test', undefined, headers)).toEqual([
      500,
      expect.stringContaining('returned no application/x-stamp'),
    ])
    expect(await asked(server, 'DELETE', 'stamp/k', 'a.test')).toEqual([
      500,
      expect.stringContaining('does not support destroy'),
    ])
  })

  const empty = 'export const create = () => ({})'
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['has a name of the server', { 'indirections/catalog.js': empty }, 'name of an existing indirection: catalog'],
    ['has a name of its searches', { 'indirections/file_metadatas.js': empty }, 'existing indirection: file_metadatas'],
    ['is there twice', { ...inRuby, 'indirections/owners.js': empty }, 'existing indirection: owner'],
    [
      'has two termini',
      { ...inRuby, 'puppet/indirector/owner/other.rb': 'class Puppet::Owner::Other < Puppet::Indirector::Code; end' },
      'has more than one terminus',
    ],
    [
      'has no model',
      { 'puppet/indirector/lost/here.rb': 'class Puppet::Lost; class Here < Puppet::Indirector::Code; end; end' },
      'no model indirects lost',
    ],
  ])('that %s keeps the server from starting', async (_, files, words) => {
    await expect(start(files)).rejects.toThrow(words)
  })
})
