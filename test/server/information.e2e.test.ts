import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'

const folder = scratchFolder('information')
let repository: ControlRepository
let serving: Serving

beforeAll(async () => {
  repository = controlRepository({
    'manifests/site.pp': 'class site { }\n',
    'modules/demo/manifests/init.pp': `class demo(
  String $p = 'dflt',
  $list = [1, 'a', { b => undef }],
  Optional[Integer] $computed = 1 + 1,
  $bare,
) { }
`,
    'modules/demo/manifests/broken.pp': 'class demo::broken {\n',
    'modules/demo/metadata.json': '{"name": "me-demo", "version": "1.2.3"}',
    'modules/flat/manifests/init.pp': 'define flat() { }\n',
  })
  repository.pin()
  // The default rules deny these endpoints to everybody.
  const auth_conf = join(folder, 'auth.conf')
  writeFileSync(
    auth_conf,
    'authorization { version: 1, rules: [ { name: "all", sort-order: 500, match-request { path: "/", type: path }, allow: "*" } ] }',
  )
  serving = await serve({ code_repo: repository.bare, auth_conf })
})

afterAll(async () => {
  await serving?.stop()
})

const get = (path: string, headers = {}) => serving.call('GET', `/puppet/v3/${path}`, { as: 'a.test', headers })

describe('environment_classes', () => {
  it('lists classes with their parameters, and what does not parse', async () => {
    const root = `${serving.settings.environmentpath[0]}/production`
    const { status, text } = await get('environment_classes?environment=production')
    expect([status, JSON.parse(text)]).toEqual([
      200,
      {
        name: 'production',
        files: [
          { path: `${root}/manifests/site.pp`, classes: [{ name: 'site', params: [] }] },
          {
            path: `${root}/modules/demo/manifests/broken.pp`,
            error: expect.stringContaining('Syntax error at end of input'),
          },
          {
            path: `${root}/modules/demo/manifests/init.pp`,
            classes: [
              {
                name: 'demo',
                params: [
                  { name: 'p', type: 'String', default_literal: 'dflt', default_source: "'dflt'" },
                  { name: 'list', default_literal: [1, 'a', { b: null }], default_source: "[1, 'a', { b => undef }]" },
                  { name: 'computed', type: 'Optional[Integer]', default_source: '1 + 1' },
                  { name: 'bare' },
                ],
              },
            ],
          },
          { path: `${root}/modules/flat/manifests/init.pp`, classes: [] },
        ],
      },
    ])
  })

  it('says when nothing changed', async () => {
    const { headers } = await get('environment_classes?environment=production')
    for (const known of [headers.etag, `${headers.etag}--gzip`]) {
      const again = await get('environment_classes?environment=production', { 'if-none-match': known })
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag])
    }
  })
})

describe('environment_modules', () => {
  const production = {
    name: 'production',
    modules: [
      { name: 'me/demo', version: '1.2.3' },
      { name: 'flat', version: null },
    ],
  }

  it('lists modules of one environment, or of all', async () => {
    expect(JSON.parse((await get('environment_modules?environment=production')).text)).toEqual(production)
    expect(JSON.parse((await get('environment_modules')).text)).toEqual([production])
  })
})

describe('both', () => {
  it.each([
    ['environment_classes', 400, 'An environment parameter must be specified'],
    ['environment_classes?environment=a-b', 400, "The environment must be purely alphanumeric, not 'a-b'"],
    ['environment_classes?environment=nope', 404, "Could not find environment 'nope'"],
    ['environment_modules?environment=a-b', 400, "The environment must be purely alphanumeric, not 'a-b'"],
    ['environment_modules?environment=nope', 404, "Could not find environment 'nope'"],
  ])('%s is %i', async (path, status, text) => {
    const answer = await get(path)
    expect([answer.status, answer.text]).toEqual([status, text])
  })
})

describe('what is not routed', () => {
  const error = (message: string, issue_kind: string) => JSON.stringify({ message, issue_kind })
  it.each([
    ['GET', '/puppet/v3/nope/x', 404, error("Not Found: Could not find indirection 'nope'", 'HANDLER_NOT_FOUND')],
    [
      'GET',
      '/puppet/v3/n-o/x',
      400,
      error("Bad Request: The indirection name must be purely alphanumeric, not 'n-o'", 'RUNTIME_ERROR'),
    ],
    [
      'DELETE',
      '/puppet/v3/node/x',
      405,
      error('Method Not Allowed: No support for http method DELETE', 'UNSUPPORTED_METHOD'),
    ],
    [
      'PATCH',
      '/puppet/v3/node/x',
      405,
      error('Method Not Allowed: No support for http method PATCH', 'UNSUPPORTED_METHOD'),
    ],
    ['GET', '/nowhere', 404, '{"message":"Not Found","url":"/nowhere","status":"404"}'],
  ])('%s %s is %i', async (method, path, status, text) => {
    const answer = await serving.call(method, path, { as: 'a.test', headers: { accept: 'application/json' } })
    expect([answer.status, answer.text]).toEqual([status, text])
  })
})
