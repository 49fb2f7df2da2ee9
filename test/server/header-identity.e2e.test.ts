import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDistinguishedName } from '../../src/ca/x509/distinguished-name.ts'
import { buildTextExtension } from '../../src/ca/x509/extensions.ts'
import { puppetOids } from '../../src/ca/x509/oids.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'
import { authorityIn, forged, honest, TlsClient } from './tls-client.ts'

let repository: ControlRepository
let serving: Serving

beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': '' })
  const auth_conf = join(scratchFolder('header'), 'auth.conf')
  const rules = `
    { name: "own", sort-order: 500, match-request { path: "^/puppet/v3/node/([^/]+)$", type: regex }, allow: "$1" },
    { name: "web", sort-order: 500, match-request { path: "/puppet/v3/environments", type: path }, allow: { extensions: { pp_role: web } } }`
  writeFileSync(auth_conf, `authorization { version: 1, allow-header-cert-info: true, rules: [${rules}] }`)
  serving = await serve({ code_repo: repository.bare, auth_conf })
})
afterAll(async () => {
  await serving?.stop()
})

const node = '/puppet/v3/node/b?environment=production'
const environments = '/puppet/v3/environments'
const verified = 'X-Client-Verify: SUCCESS'

it.each([
  ['the name in both forms, as proxies write it', node, [verified, 'X-Client-DN: CN=b'], 200],
  ['the name in the older form', node, [verified, 'X-Client-DN: /O=x/CN=b'], 200],
  ['a name that only seems to be another', node, [verified, String.raw`X-Client-DN: CN=a\,CN=b`], 403],
  [
    'a name that only seems to be another, in the older form',
    node,
    [verified, String.raw`X-Client-DN: /CN=a\/CN=b`],
    403,
  ],
  ['two names', node, [verified, 'X-Client-DN: CN=a,CN=b'], 403],
  ['two names in one step', node, [verified, 'X-Client-DN: CN=b+CN=a'], 403],
  ['the header of the client after that of the proxy', node, [verified, 'X-Client-DN: CN=a', 'X-Client-DN: CN=b'], 403],
  ['the header of the client before that of the proxy', node, [verified, 'X-Client-DN: O=x', 'x-client-dn: CN=b'], 403],
  ['two words on whether it was verified', node, [verified, 'X-Client-Verify: NONE', 'X-Client-DN: CN=b'], 403],
])('takes from a proxy %s', async (_, path, headers, status) => {
  const client = await TlsClient.open(Number(new URL(serving.server.url).port))
  expect((await client.ask(path, headers)).status).toBe(status)
  client.close()
})

it.each([
  ['of that name', 'b', 1, 200],
  ['of another name', 'a', 1, 403],
  ['twice', 'b', 2, 403],
])("takes extensions from a proxy's certificate %s", async (_, name, times, status) => {
  const extensions = [...honest, buildTextExtension(puppetOids.get('pp_role')!, 'web')]
  const { cert } = await forged(authorityIn(serving.settings.cadir), {
    name: createDistinguishedName(name),
    extensions,
  })
  const client = await TlsClient.open(Number(new URL(serving.server.url).port))
  const headers = [verified, 'X-Client-DN: CN=b', `X-Client-Cert: ${encodeURIComponent(cert.repeat(times))}`]
  expect((await client.ask(environments, headers)).status).toBe(status)
  client.close()
})
