import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { parseAuthConf } from '../../src/server/auth/auth-conf.ts'
import { authorize } from '../../src/server/auth/authorize.ts'
import { addOwnRules, defaultRules, formatOwnRules } from '../../src/server/auth/default-rules.ts'
import { listDeniedEndpoints } from '../../src/server/auth/denied-endpoints.ts'
import { tokenScopes } from '../../src/server/auth/token-scopes.ts'
import { type Client, createUnauthenticatedClient } from '../../src/server/http/client.ts'
import { readAllowlist } from '../../src/server/pdb/certificate-allowlist.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const parse = (text: string) => parseAuthConf({ file: 'auth.conf', text }).rules
const denyAll = '{ name: "puppetlabs deny all", sort-order: 999, match-request { path: "/", type: path }, deny: "*" }'
/** The end of the auth.conf that Puppet Server 7.9.5 installs. */
const installed = parse(
  `authorization { version: 1, rules: [ ${denyAll}, { name: "puppetlabs node", sort-order: 500, allow: "$1"
   match-request { path: "^/puppet/v3/node/([^/]+)$", type: regex, method: get } } ] }`,
)
const node: Client = { ...createUnauthenticatedClient('::1'), certname: 'a.test' }
const admin: Client = {
  ...node,
  certname: 'admin.test',
  extensions: { pp_cli_auth: 'true' },
  extensionValues: new Map([['pp_cli_auth', 'true']]),
}
const clients: readonly Client[] = [
  ...[createUnauthenticatedClient('::1'), node, admin],
  ...Object.keys(tokenScopes).map((scope) => ({
    ...createUnauthenticatedClient('::1'),
    token: { name: 't', scopes: [scope] },
  })),
]
const paths = [
  ...[
    '/pdb/query/v4',
    '/pdb/cmd/v1',
    '/pdb/meta/v1/version',
    '/ui',
    '/ui/nodes',
    '/ui/sign-in',
    '/ui/assets/x',
    '/ocsp',
  ],
  ...[
    '/ocsp/x',
    '/metrics',
    '/metrics/v2/list',
    '/plumb/v1/plugins',
    '/plumb/v2',
    '/code/v1/fetch',
    '/git',
    '/puppet',
    '/',
  ],
  ...[
    '/git/code.git/info/refs',
    '/git/code.git/git-receive-pack',
    '/git/code.git/git-upload-pack',
    '/git/code.git/refs/heads/x',
  ],
]
const verdicts = (rules: Parameters<typeof authorize>[0]) =>
  paths.flatMap((path) =>
    ['get', 'head', 'post', 'put', 'delete'].flatMap((method) =>
      ['', 'service=git-receive-pack'].flatMap((query) =>
        clients.map((client) => [path, method, query, authorize(rules, { path, method, query, client }).allowed]),
      ),
    ),
  )

describe('an allow-list of certificates', () => {
  it('lets in the names on it to all, tokens to questions, and everybody to the status', async () => {
    const file = join(scratchFolder('allowlist'), 'list')
    writeFileSync(file, '# ours\r\n a.test \r\n\r\n#b.test\n')
    const rules = await readAllowlist(file, localSystem.files)
    const token = { ...createUnauthenticatedClient('::1'), token: { name: 't', scopes: ['query'] } }
    const alias = { ...node, certname: 'b.test', altNames: { dns: ['a.test'] } }
    const all = {
      node,
      alias,
      upper: { ...node, certname: 'A.TEST' },
      token,
      stranger: createUnauthenticatedClient('::1'),
    }
    const allowed = (method: string, path: string) =>
      Object.entries(all).flatMap(([name, client]) =>
        authorize(rules, { path, method, query: '', client }).allowed ? [name] : [],
      )
    expect(allowed('post', '/pdb/cmd/v1')).toEqual(['node'])
    expect(allowed('get', '/pdb/query/v4')).toEqual(['node', 'token'])
    expect(allowed('delete', '/pdb/query/v4')).toEqual(['node'])
    expect(allowed('get', '/status/v1/services')).toEqual(Object.keys(all))
    expect(allowed('post', '/status/v1/services')).toEqual([])
    await expect(readAllowlist(`${file}.none`, localSystem.files)).rejects.toThrow(
      `Could not read the certificate allowlist ${file}.none`,
    )
  })
})

describe('the rules of our own endpoints', () => {
  it('allow what the default rules allow, and nothing else, beside an auth.conf of Puppet Server', () => {
    expect(listDeniedEndpoints(installed)).toHaveLength(6)
    expect(listDeniedEndpoints(addOwnRules(installed))).toEqual([])
    expect(verdicts(addOwnRules(installed))).toEqual(verdicts(defaultRules))
  })

  it('are printed as an auth.conf with the same meaning', () => {
    expect(verdicts(parse(formatOwnRules()))).toEqual(verdicts(defaultRules))
  })

  it('yield to the rules of the file', () => {
    const closed = parse(`authorization { version: 1, rules: [ ${denyAll.replace('999', '998')} ] }`)
    expect(listDeniedEndpoints(addOwnRules(closed))).toHaveLength(6)
    const own = parse(formatOwnRules().replace('"path":"/plumb/v1/plugins"', '"path":"/nothing"'))
    expect(listDeniedEndpoints(addOwnRules(own)).map(({ path }) => path)).toEqual(['/plumb/v1/plugins'])
  })
})
