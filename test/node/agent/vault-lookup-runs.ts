import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { identities } from '../../store/puppetdb/https-server.ts'
import { plumbMain } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { openVault, type VaultServer, type VaultState } from '../../support/vault.ts'

/** Lookups of secrets in one or more runs. */
export interface LookupRun {
  readonly status: number | undefined
  readonly text: string
  /** Contents of the files in `@/out`, by name. */
  readonly contents: Readonly<Record<string, string>>
}

export type Environment = Readonly<Record<string, string>>

/** A node with a certificate, and servers with the API of Vault. */
export interface LookupScene {
  /** A folder with the certificates of the node (`ssl`), a CA bundle (`ssl/certs/ca.pem`) and a token (`sink`). */
  readonly folder: string
  readonly vault: VaultServer
  /** A server with the certificate of an authority that the node does not trust. */
  readonly stranger: VaultServer
  /**
   * Runs `apply` of a program with code. In the code, `'A'` is the address of Vault, `'I'` its IP address, `'S'` the stranger,
   * `@` the folder.
   */
  apply(program: readonly string[], code: string, env?: Environment, ...words: string[]): Promise<LookupRun>
  applyHere(code: string, env?: Environment, ...words: string[]): Promise<LookupRun>
  stop(): Promise<unknown>
}

/** The state of Vault before a test. A request without a token has the token of a Vault agent. */
export const usualVault: Partial<VaultState> = {
  secrets: {
    old: {
      'app/password': { value: 'hush-first' },
      'app/many': { a: 'x', n: 5, deep: { k: [1, 2.5, null, true] } },
      'app/text': { data: 'a field named data' },
    },
    kv: {
      'app/password': [{ value: 'one' }, { value: 'hush-two', other: 'o' }],
      'app/gone': [{ value: 'x' }, null],
    },
  },
  tokens: { root: Infinity, undefined: Infinity, 'only-self': Infinity },
  odd: undefined,
  seen: [],
  logins: 0,
}

export async function openLookupScene(): Promise<LookupScene> {
  const folder = scratchFolder('vault-lookup')
  const { server, client } = await identities()
  const vault = await openVault(server)
  const stranger = await openVault((await identities()).server)
  for (const name of ['certs', 'private_keys']) mkdirSync(join(folder, 'ssl', name), { recursive: true })
  mkdirSync(join(folder, 'out'))
  writeFileSync(join(folder, 'ssl/certs/ca.pem'), client.ca!)
  writeFileSync(join(folder, 'ssl/certs/server.test.pem'), client.cert!)
  writeFileSync(join(folder, 'ssl/private_keys/server.test.pem'), client.key!)
  writeFileSync(join(folder, 'sink'), 'root\n')

  const fill = (text: string): string =>
    text
      .replace(/'A(?=['/])/g, `'${vault.url}`)
      .replaceAll("'I'", `'${vault.url.replace('localhost', '127.0.0.1')}'`)
      .replaceAll("'S'", `'${stranger.url}'`)
      .replaceAll('@', folder)
  // Ports, folders and times differ in each run; the words of Ruby and Node for an address differ.
  const toGeneral = (text: string): string =>
    text
      .replaceAll(vault.url, 'A')
      .replaceAll(folder, '@')
      .replace(/after [\d.e-]+ seconds/g, 'after N seconds')
      .replace(/connect\(2\) for [^)]*\)/g, 'connect(2))')
  let runs = 0
  const apply: LookupScene['apply'] = async ([command = '', ...first], code, env = {}, ...words) => {
    const own = join(folder, `run${++runs}`)
    const places = ['--confdir', join(own, 'etc'), '--vardir', join(own, 'var'), '--ssldir', join(folder, 'ssl')]
    const all = [...first, 'apply', ...places, '--certname', 'server.test', '--detailed-exitcodes', ...words]
    const given = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, fill(`'${value}'`).slice(1, -1)]),
    )
    const ended = await execa(command, [...all, '-e', fill(code)], { reject: false, all: true, env: given })
    const out = join(folder, 'out')
    const contents = Object.fromEntries(readdirSync(out).map((name) => [name, readFileSync(join(out, name), 'utf8')]))
    return { status: ended.exitCode, text: toGeneral(ended.all), contents }
  }
  return {
    ...{ folder, vault, stranger, apply },
    applyHere: (code, env, ...words) => apply([process.execPath, plumbMain], code, env, ...words),
    stop: () => Promise.all([vault.stop(), stranger.stop()]),
  }
}
