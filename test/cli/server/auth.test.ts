import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const rules = `authorization: {
  version: 1
  rules: [
    {
      name: "own catalog"
      match-request: { path: "^/puppet/v3/catalog/([^/]+)$", type: regex, method: [get, post] }
      allow: "$1"
      sort-order: 200
    },
    { match-request: { path: "/puppet/v3/", type: path }, name: "production only"
      allow: [{ extensions: { pp_role: [web, db] } }, { extensions: { pp_cli_auth: "true" } }]
      deny: "bad.example.com", sort-order: 300 },
    { name: store, match-request: { path: "/pdb/query", type: path, query-params: { limit: ["all"] } }, allow-token: query, sort-order: 400 }
    { name: everybody, sort-order: 500, match-request: { path: "/status", type: path }, allow-unauthenticated: true }
  ]
}
`

async function site() {
  const confdir = scratchFolder('server-auth')
  writeFileSync(join(confdir, 'auth.conf'), rules)
  const places = ['--confdir', confdir, '--vardir', join(confdir, 'var'), '--no-auth_default_rules']
  mkdirSync(join(confdir, 'var'))
  const made = await runHere(['token', 'create', 'dashboard', ...places])
  expect(made.status).toBe(0)
  const auth = (...words: string[]) => runHere(['server', 'auth', ...words, ...places])
  return { auth, file: join(confdir, 'auth.conf') }
}

describe('plumb server auth', () => {
  it.each<[words: string, status: number, rule: string | null, line: number | null]>([
    ['GET /puppet/v3/catalog/web1.example.com --as web1.example.com', 0, 'own catalog', 5],
    ['POST /puppet/v3/catalog/web1.example.com --as web2.example.com', 2, 'own catalog', 5],
    ['GET /puppet/v3/catalog/web1.example.com', 2, 'own catalog', 5],
    ['PUT /puppet/v3/catalog/web1.example.com --as web1.example.com', 2, 'production only', 10],
    ['put /puppet/v3/report/x --as web1.example.com --extension pp_role=web', 0, 'production only', 10],
    ['PUT /puppet/v3/report/x --as bad.example.com --extension pp_role=web', 2, 'production only', 10],
    ['PUT /puppet/v3/report/x --as other --extension pp_cli_auth=true', 0, 'production only', 10],
    ['GET /puppet/v3//report%2Fx --as other --extension pp_cli_auth=false', 2, 'production only', 10],
    ['GET /pdb/query/v4/nodes?limit=all --token dashboard', 0, 'store', 13],
    ['GET /pdb/query/v4/nodes --token dashboard', 2, null, null],
    ['GET /status/v1/simple', 0, 'everybody', 14],
    ['DELETE / --as web1.example.com', 2, null, null],
  ])('answers %s', async (words, status, rule, line) => {
    const { auth, file } = await site()
    const answer = await auth('test', ...words.split(' '), '--render-as', 'json')
    expect(answer).toMatchObject({ status, err: '' })
    const { allowed, rule: deciding, auth_conf } = JSON.parse(answer.out)
    expect([allowed, deciding?.name ?? null, deciding?.line ?? null]).toEqual([status === 0, rule, line])
    if (deciding) expect(deciding.file).toBe(file)
    expect(auth_conf).toBe(file)
  })

  it('says the rule and its place', async () => {
    const { auth, file } = await site()
    expect((await auth('test', 'GET', '/status')).out).toBe(`allowed by rule 'everybody'\n  ${file}:14\n`)
    const list = (await auth('list')).out.split('\n')
    expect(list[0]).toBe(`200  GET,POST  ~ ^/puppet/v3/catalog/([^/]+)$  allow $1  (own catalog, ${file}:5)`)
    expect(list[1]).toContain('allow pp_role=web|db, pp_cli_auth=true; deny bad.example.com')
    expect(list).toHaveLength(5)
  })

  it('says of rules that come with the server that they do', async () => {
    const answer = await runHere(['server', 'auth', 'test', 'GET', '/puppet/v3/environments', '--as', 'a.test'])
    expect(answer).toEqual({
      status: 0,
      out: "allowed by rule 'puppetlabs environments'\n  default rule of the server\n",
      err: '',
    })
  })

  it.each([
    ['FETCH /status', /'FETCH' is not an HTTP method/],
    ['GET status', /The server rejects the path/],
    ['GET /a/../b', /The server rejects the path/],
    ['GET /status --extension a=b', /require the certificate of --as/],
    ['GET /status --as a.test --extension a', /is not of the form NAME=VALUE/],
    ['GET /status --as \u0001', /not a certname/],
    ['GET /status --token nobody', /Could not find token 'nobody'/],
  ])('refuses %s', async (words, message) => {
    const { auth } = await site()
    const answer = await auth('test', ...words.split(' '))
    expect([answer.status, answer.out]).toEqual([1, ''])
    expect(answer.err).toMatch(message)
  })
})
