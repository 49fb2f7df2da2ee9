import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noModules } from '../../support/real-puppet.ts'
import { type Environment, type LookupScene, openLookupScene, usualVault } from './vault-lookup-runs.ts'

const recording = join(import.meta.dirname, 'recorded/vault-lookup.json')

/** A folder with the module vault_lookup, to record the answers of real Puppet with it. */
const realModules = process.env['VAULT_LOOKUP_MODULES']

/** A lookup. */
interface Case {
  /** Arguments in Puppet code. */
  readonly args: string
  readonly env?: Environment
  /** State of Vault. */
  readonly odd?: string
}

const sink = `'auth_method' => 'agent_sink', 'agent_sink_file' => '@/sink'`
const approle = `'auth_method' => 'approle', 'role_id' => 'role', 'secret_id' => 'shh'`

/** Lookups that succeed, each with its environment. */
const values: Readonly<Record<string, Case>> = {
  'certificate, positional': { args: `'kv/data/app/password', 'A'` },
  'certificate, options': { args: `'/kv/data/app/password', { 'vault_addr' => 'A/' }` },
  'certificate role and segment': {
    args: `'kv/data/app/password', { 'vault_addr' => 'A', 'cert_role' => 'x', 'cert_path_segment' => '/v1/auth/cert' }`,
  },
  approle: { args: `'kv/data/app/password', { 'vault_addr' => 'A', 'field' => 'value', ${approle} }` },
  'approle of another mount': {
    args: `'old/app/password', { 'vault_addr' => 'A', ${approle}, 'approle_path_segment' => 'v1/auth/teams/approle' }`,
  },
  'approle, positional': {
    args: `'old/app/many', 'A', undef, 'none', 'team/', undef, 'n', 'approle', 'role', 'shh', undef, 'none'`,
  },
  agent: { args: `'old/app/many', { 'vault_addr' => 'A', 'auth_method' => 'agent' }` },
  'unknown method': { args: `'old/app/many', { 'vault_addr' => 'A', 'auth_method' => 'none', 'field' => 'a' }` },
  sink: { args: `'old/app/many', { 'vault_addr' => 'A', 'field' => 'deep', ${sink} }` },
  'missing field': { args: `'old/app/many', { 'vault_addr' => 'A', 'field' => 'nothing', ${sink} }` },
  'version of a secret': { args: `'kv/data/app/password?version=1', { 'vault_addr' => 'A', ${sink} }` },
  'field named data': { args: `'old/app/text', { 'vault_addr' => 'A', ${sink} }` },
  'field of a field named data': { args: `'old/app/text', { 'vault_addr' => 'A', 'field' => 'named', ${sink} }` },
  'namespaces of login and secret': {
    args: `'old/app/password', { 'vault_addr' => 'A', 'namespace' => 'team/', 'auth_namespace' => 'other', ${approle} }`,
  },
  'environment of approle': {
    args: `'old/app/password'`,
    env: { VAULT_ADDR: 'A', VAULT_AUTH_METHOD: 'approle', VAULT_ROLE_ID: 'role', VAULT_SECRET_ID: 'shh' },
  },
  'environment of sink': {
    args: `'old/app/password', { 'field' => 'value' }`,
    env: {
      VAULT_ADDR: 'A',
      VAULT_AUTH_METHOD: 'agent_sink',
      VAULT_AGENT_SINK_FILE: '@/sink',
      VAULT_NAMESPACE: 'team/',
    },
  },
}

/** Lookups that fail. */
const failures: Readonly<Record<string, Case>> = {
  'no address': { args: `'kv/data/x'` },
  'no host': { args: `'kv/data/x', 'vault.example.com'` },
  'relative address': { args: `'kv/data/x', '//vault.example.com'` },
  'invalid address': { args: `'kv/data/x', 'https://a b'` },
  'invalid path': { args: `'kv/data/a b', { 'vault_addr' => 'A', ${sink} }` },
  'no role_id': { args: `'kv/data/x', { 'vault_addr' => 'A', 'auth_method' => 'approle' }` },
  'no secret_id': { args: `'kv/data/x', { 'vault_addr' => 'A', 'auth_method' => 'approle', 'role_id' => 'r' }` },
  'no sink': { args: `'kv/data/x', { 'vault_addr' => 'A', 'auth_method' => 'agent_sink' }` },
  'missing sink': {
    args: `'kv/data/x', { 'vault_addr' => 'A', 'auth_method' => 'agent_sink', 'agent_sink_file' => '@/none' }`,
  },
  'rejected approle': {
    args: `'kv/data/x', { 'vault_addr' => 'A', 'auth_method' => 'approle', 'role_id' => 'r', 'secret_id' => 'wrong' }`,
  },
  'wrong type': { args: `'kv/data/x', 5` },
  'undef for a String': { args: `'kv/data/x', 'A', undef, undef` },
  'wrong method': { args: `'kv/data/x', 'A', undef, 'x', 'x', undef, 'x', 'token'` },
  'Sensitive option': { args: `'kv/data/x', { 'secret_id' => Sensitive('shh') }` },
  forbidden: { args: `'forbidden/x', { 'vault_addr' => 'A', ${sink} }` },
  'wrong path of KV v2': { args: `'kv/app/password', { 'vault_addr' => 'A', ${sink} }` },
  'missing secret': { args: `'old/none', { 'vault_addr' => 'A', ${sink} }` },
  'deleted version': { args: `'kv/data/app/gone', { 'vault_addr' => 'A', ${sink} }` },
  'error of the server': { args: `'old/app/many', { 'vault_addr' => 'A', ${sink} }`, odd: 'error' },
  'empty response': { args: `'old/app/many', { 'vault_addr' => 'A', ${sink} }`, odd: '204' },
  'another redirect': { args: `'old/app/many', { 'vault_addr' => 'A', ${sink} }`, odd: '308' },
  'page instead of a secret': { args: `'old/app/many', { 'vault_addr' => 'A', ${sink} }`, odd: 'html' },
  'page instead of a token': { args: `'old/app/many', 'A'`, odd: 'html' },
  'unknown authority': { args: `'old/app/many', { 'vault_addr' => 'S', ${sink} }` },
  'other name': { args: `'old/app/many', { 'vault_addr' => 'I', ${sink} }` },
  'no server': { args: `'old/app/many', { 'vault_addr' => 'https://localhost:1', ${sink} }` },
}

let scene: LookupScene
/** Answers of Puppet 7.23.0 with the module vault_lookup 2.0.1-rc0, by the title of the case. */
let expected: Readonly<Record<string, string>>

beforeAll(async () => {
  scene = await openLookupScene()
  if (realModules !== undefined) await record(realModules)
  expected = JSON.parse(readFileSync(recording, 'utf8'))
}, 600_000)
afterAll(() => scene?.stop())

/** Returns code that writes a file for each case, with the secret as Puppet code. */
const toManifest = (cases: readonly (readonly [string, Case])[]): string =>
  cases
    .map(([title, { args }]) => {
      const secret = `Deferred('vault_lookup::lookup', [${args}])`
      const content = `Deferred('inline_epp', ['<%= String($x.unwrap, "%p") %>', { 'x' => ${secret} }])`
      return `file { '@/out/${title}': content => ${content} }`
    })
    .join('\n')

/** Asks real Puppet, one lookup in each run, because the first error ends the run. */
async function record(modules: string): Promise<void> {
  const answers: Record<string, string> = {}
  for (const [title, given] of Object.entries({ ...values, ...failures })) {
    await scene.vault.set({ ...usualVault, odd: given.odd })
    const words = ['--color=false', '--preprocess_deferred', '--modulepath', modules, ...noModules]
    const { text, contents } = await scene.apply(['puppet'], toManifest([[title, given]]), given.env, ...words)
    const error = /^Error: (?!Facter)(.*(?:\n {2}.*)*)/m.exec(text)?.[1]
    answers[title] = contents[title] ?? error ?? text
  }
  writeFileSync(recording, `${JSON.stringify(answers, null, 2)}\n`)
}

/** Cases that can share a run. */
function groupCases(cases: Readonly<Record<string, Case>>) {
  const groups = new Map<string, [string, Case][]>()
  for (const each of Object.entries(cases)) {
    const key = JSON.stringify([each[1].odd, each[1].env])
    groups.set(key, [...(groups.get(key) ?? []), each])
  }
  return Array.from(groups.values(), (group) => ({ ...group[0]![1], group }))
}

describe('vault_lookup::lookup without its module', () => {
  it('returns the values of the module', async () => {
    for (const { env, group } of groupCases(values)) {
      await scene.vault.set(usualVault)
      const { status, text, contents } = await scene.applyHere(toManifest(group), env)
      expect(status, text).toBe(2)
      for (const [title] of group) expect(contents[title], title).toBe(expected[title])
    }
  })

  it('fails with the messages of the module', async () => {
    for (const { env, odd, group } of groupCases(failures)) {
      await scene.vault.set({ ...usualVault, odd })
      const { status, text } = await scene.applyHere(toManifest(group), env)
      expect(status, text).toBe(4)
      for (const [title] of group) {
        const start = `Error: /Stage[main]/Main/File[@/out/${title}]: Could not evaluate: Parameter content failed on File[@/out/${title}]: `
        expect(text, title).toContain(
          `${start}Deferred function 'vault_lookup::lookup' failed: ${expected[title]!.replaceAll('\n', '\n  ')}`,
        )
      }
    }
  })

  it('reads a secret once in each run, and sends the namespaces of login and secret', async () => {
    await scene.vault.set(usualVault)
    const code = `
      $secret = Deferred('vault_lookup::lookup', ['old/app/password', { 'vault_addr' => 'A', 'namespace' => 'team/', 'auth_namespace' => 'up' }])
      file { '@/out/a': content => Deferred('inline_epp', ['<%= $x %>', { 'x' => $secret }]) }
      file { '@/out/b': content => Deferred('inline_template', ['<%= scope.call_function("vault_lookup::lookup", ["old/app/password", "A", nil, "x", "team/"]).unwrap["value"] %>']) }
      notify { 'c': message => $secret }`
    const { status, text, contents } = await scene.applyHere(code.replace('"A"', `"${scene.vault.url}"`))
    expect(status, text).toBe(2)
    expect(contents['b']).toBe('hush-first')
    expect(
      (await scene.vault.report()).seen.map(({ method, path, namespace, token }) => [method, path, namespace, token]),
    ).toEqual([
      ['POST', 'auth/cert/login', 'up', undefined],
      ['GET', 'old/app/password', 'team/', 'login-1'],
    ])
  })
})
