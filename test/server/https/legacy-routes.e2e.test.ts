import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toCurrentUrl } from '../../../src/server/https/legacy-routes.ts'
import { controlRepository } from '../../support/control-repository.ts'
import { type Serving, serve } from '../serving.ts'

let serving: Serving
let without: Serving

beforeAll(async () => {
  const repository = controlRepository({ 'manifests/site.pp': '', 'modules/demo/files/a': 'bytes' })
  repository.pin()
  serving = await serve({ code_repo: repository.bare, legacy_routes: 'true' })
  without = await serve({ code_repo: repository.bare })
})

afterAll(async () => {
  await serving?.stop()
  await without?.stop()
})

describe('URLs of Puppet 3', () => {
  it.each<readonly [string, string]>([
    ['/production/catalog/a.test', '/puppet/v3/catalog/a.test?environment=production'],
    ['/production/catalog/a.test?x=1', '/puppet/v3/catalog/a.test?environment=production&x=1'],
    ['/production/node/a?environment=other', '/puppet/v3/node/a?environment=production&environment=other'],
    ['/production/certificate/ca', '/puppet-ca/v1/certificate/ca'],
    ['/production/file_metadatas/plugins', '/puppet/v3/file_metadatas/plugins?environment=production'],
    [
      '/production/file_metadata/modules/demo/..%2fx',
      '/puppet/v3/file_metadata/modules/demo/..%2fx?environment=production',
    ],
    ...[
      '/puppet/v3/node/a',
      '/status/v1/simple',
      '/pro-d/node/a',
      '/production/nope/a',
      '/production/node',
      '//node/a',
    ].map((url) => [url, url] as const),
  ])('%s', (url, current) => {
    expect(toCurrentUrl(url)).toBe(current)
  })

  it.each([
    ['/production/file_content/modules/demo/a', 200, 'bytes'],
    ['/production/node/a.test', 200, '"name":"a.test"'],
    ['/production/node/other.test', 403, 'Forbidden request: /puppet/v3/node/other.test (method :get)'],
    ['/production/catalog/other.test', 403, 'Forbidden request: /puppet/v3/catalog/other.test'],
    ['/production/certificate_status/a.test', 403, 'Forbidden request: /puppet-ca/v1/certificate_status/a.test'],
    ['/production/node/a.test/../other.test', 400, 'Invalid relative path'],
    ['/production/node/%2e%2e/node/other.test', 400, 'Invalid relative path'],
    ['/production/node/other.test?environment=production', 403, 'Forbidden'],
    ['/nope/node/a.test?environment=production', 404, "Could not find environment 'nope'"],
  ])('GET %s is %i', async (path, status, text) => {
    const answer = await serving.call('GET', path, { as: 'a.test', headers: { Accept: '*/*' } })
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(text)])
  })

  it('are nothing where the setting is off', async () => {
    const answer = await without.call('GET', '/production/node/a.test', { as: 'a.test', headers: { Accept: '*/*' } })
    expect(answer.status).toBe(403)
  })
})
