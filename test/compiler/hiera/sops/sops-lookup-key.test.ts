import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../../../support/scratch-folder.ts'
import { createIdentity } from '../age/age-writer.ts'
import { hieraHost, puppetFunction, said } from '../hiera-of.ts'
import { writeSopsJson } from './sops-writer.ts'

const folder = scratchFolder('sops-keys')
const keys = join(folder, 'keys')
mkdirSync(keys)
const server = createIdentity()
const other = createIdentity()
const keyFile = join(keys, 'age.txt')
writeFileSync(keyFile, `# created by age-keygen\n${server.line}\n`)
writeFileSync(join(folder, 'outside.txt'), server.line)
symlinkSync(join(folder, 'outside.txt'), join(keys, 'link.txt'))

const data = writeSopsJson(
  {
    password: 's3cret',
    port: 5432,
    woven: 'on %{facts.os.family}',
    deep: { '%{facts.os.family}': ['a', { b: '%{lookup("port")}' }] },
    nothing: null,
    'ntp::key': 'hidden',
    lookup_options: { 'ntp::key': { convert_to: 'Sensitive' } },
  },
  { groups: [[other.publicKey, server.publicKey]] },
)

function hostWith(options = `age_key_file: ${keyFile}`, keyFolders: readonly string[] = [keys], text = data) {
  const hiera = `version: 5\nhierarchy: [{name: Secrets, lookup_key: sops_lookup_key, path: s.json, options: {${options}}}]\n`
  return hieraHost({ 'hiera.yaml': hiera, 'data/s.json': text }, {}, [], { keyFolders })
}

/** The error of a look-up, behind the key and the file. */
const refusal = (options: string, keyFolders?: readonly string[], text?: string): string =>
  said(`lookup('password')`, hostWith(options, keyFolders, text)).replace(/^! .*? in \S+\. Error was /, '')

describe('sops_lookup_key', () => {
  it.each([
    ['password', `'s3cret'`],
    ['port', '5432'],
    ['woven', `'on Debian'`],
    ['deep', `{'Debian' => ['a', {'b' => '5432'}]}`],
    ['deep.Debian.0', `'a'`],
    ['nothing', 'undef'],
    ['ntp::key', '#<Sensitive [value redacted]>'],
  ])('%s', (key, value) => {
    expect(said(`lookup('${key}')`, hostWith())).toBe(value)
  })

  it('does not find what is not there', () => {
    expect(said(`lookup('absent', undef, undef, 'default')`, hostWith())).toBe(`'default'`)
    expect(said(`lookup('sops', undef, undef, 'default')`, hostWith())).toBe(`'default'`)
  })

  it('asks for a file', () => {
    const hiera = 'version: 5\nhierarchy: [{name: s, lookup_key: sops_lookup_key}]\n'
    expect(said(`lookup('x')`, hieraHost({ 'hiera.yaml': hiera }))).toContain(
      "'sops_lookup_key': one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml",
    )
  })

  it('can be called by a function of the code', () => {
    const mine = puppetFunction(
      'mine',
      ['key', 'options', 'context'],
      `$found = sops_lookup_key($key, $options, $context) "<\${found}>"`,
    )
    const hiera = `version: 5\nhierarchy: [{name: s, lookup_key: mine, path: s.json, options: {age_key_file: ${keyFile}}}]\n`
    const text = writeSopsJson({ password: 's3cret' }, { groups: [[server.publicKey]] })
    const files = { 'hiera.yaml': hiera, 'data/s.json': text }
    const host = hieraHost(files, {}, [mine], { keyFolders: [keys] })
    expect(said(`lookup('password')`, host)).toBe(`'<s3cret>'`)
  })

  it('names the key, the file and the cause', () => {
    const host = hostWith(
      `age_key_file: ${keyFile}`,
      [keys],
      data.replace('"lastmodified": "2026', '"lastmodified": "2025'),
    )
    expect(said(`lookup('password')`, host)).toMatch(
      /^! sops backend error when looking up \S+ in \S+\/data\/s\.json\. Error was the value at sops\.mac was changed or moved after its encryption$/,
    )
  })

  it.each<[string, readonly string[], RegExp]>([
    ['', [keys], /^neither age_key_file nor gpg_gnupghome is defined$/],
    ['age_key_file: 5', [keys], /^neither age_key_file nor gpg_gnupghome is defined$/],
    [`age_key_file: ${keyFile}`, [], /^the private key \S+ is not in a directory of the setting eyaml_keydirs$/],
    [`age_key_file: ${keys}/../outside.txt`, [keys], /is not in a directory of the setting eyaml_keydirs$/],
    ['age_key_file: age.txt', [keys], /is not in a directory of the setting eyaml_keydirs$/],
    [`age_key_file: ${keys}/link.txt`, [keys], /is not in a directory of the setting eyaml_keydirs$/],
    [`age_key_file: ${keys}/absent.txt`, [keys], /^the private key \S+ cannot be read: No such file or directory$/],
    [`age_key_file: ${keys}`, [folder], /^the private key \S+ cannot be read: Is a directory$/],
    [`age_key_file: [${keyFile}, ${keys}/absent.txt]`, [keys], /cannot be read: No such file or directory$/],
    [`age_key_file: ${keyFile}, gpg_gnupghome: ''`, [keys], /^No GPG home directory configured/],
  ])('refuses the keys { %s } of %j', (options, folders, error) => {
    expect(refusal(options, folders)).toMatch(error)
  })

  it('reads a key file again when it is replaced', () => {
    const path = join(keys, 'changing.txt')
    const results = [server, other, createIdentity(), server].map(({ line }, at) => {
      writeFileSync(path, line)
      // Two writes within a tick of the kernel's clock may have the same time.
      utimesSync(path, at, at)
      return said(`lookup('password')`, hostWith(`age_key_file: ${path}`)).replace(/^! .*/, 'refused')
    })
    expect(results).toEqual([`'s3cret'`, `'s3cret'`, 'refused', `'s3cret'`])
    rmSync(path)
    expect(said(`lookup('password')`, hostWith(`age_key_file: ${path}`))).toContain('No such file or directory')
  })

  it('decrypts a file once for all compilations', () => {
    const many = writeSopsJson(
      Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`key${at}`, `value${at}`])),
      { groups: [[server.publicKey]] },
    )
    const first = measure(() => said(`lookup('key1')`, hostWith(undefined, undefined, many)))
    const second = measure(() => said(`lookup('key4999')`, hostWith(undefined, undefined, many)))
    expect([first.value, second.value]).toEqual([`'value1'`, `'value4999'`])
    expect(second.ms).toBeLessThan(first.ms / 2)
  })
})

function measure(work: () => string): { readonly value: string; readonly ms: number } {
  const start = performance.now()
  return { value: work(), ms: performance.now() - start }
}
