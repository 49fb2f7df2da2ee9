import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { openEnvironmentDirectory } from '../../../src/code/environments/environment-opener.ts'
import { readTrace } from '../../../src/compiler/recall/trace-file.ts'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { createIdentity } from '../hiera/age/age-writer.ts'
import { writeSopsJson } from '../hiera/sops/sops-writer.ts'
import { Beside, committed, requestOf } from './worlds.ts'

const root = scratchFolder('secret-keys')
const keyFile = join(root, 'keys/age.txt')
const server = createIdentity()
const groups = [[server.publicKey]]
const secrets = writeSopsJson({ password: 'the plain text' }, { groups })

const hiera = `version: 5
hierarchy:
  - {name: Secrets, lookup_key: sops_lookup_key, path: s.json, options: {age_key_file: ${keyFile}}}
  - {name: Common, path: common.yaml}
`
const files = {
  'code/manifests/site.pp':
    "notify { 'x': message => sha256(lookup('password')) }\nnotify { 'y': message => lookup('other') }\n",
  'code/hiera.yaml': hiera,
  'code/data/s.json': secrets,
  'code/data/common.yaml': 'other: 1\n',
  'keys/age.txt': server.line,
}

describe('a catalog with data of SOPS', () => {
  it('is compiled again when a key or the file changes, and not otherwise', async () => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), text)
    }
    const code = join(root, 'code')
    const settings = loadSettings({ given: { confdir: '/nonexistent/etc', basemodulepath: '' } })
    const { environment } = await openEnvironmentDirectory({ directory: code, name: 'keys' }, settings)
    const beside = new Beside()
    const compare = (changed: Readonly<Record<string, string>> = {}) => {
      const edits = new Map(Object.entries(changed).map(([path, text]) => [join(code, path), text]))
      const request = requestOf(committed(environment, edits), 'a.test', { keyFolders: [join(root, 'keys')] })
      expect(beside.compare(request)).toBeUndefined()
      return { ...beside.counts }
    }
    expect(compare()).toMatchObject({ compiled: 1, recalled: 0, failed: 0 })
    expect(compare({ 'data/unread.json': '{}' })).toMatchObject({ recalled: 1 })
    expect(compare({ 'data/s.json': writeSopsJson({ password: 'another' }, { groups }) })).toMatchObject({
      compiled: 2,
    })
    expect(compare()).toMatchObject({ compiled: 3, recalled: 1 })

    writeFileSync(keyFile, `# the same key, in a new file\n${server.line}`)
    utimesSync(keyFile, 1, 1)
    expect(compare()).toMatchObject({ inVain: 1, recalled: 1 })
    expect(compare()).toMatchObject({ recalled: 2 })
    writeFileSync(keyFile, createIdentity().line)
    utimesSync(keyFile, 2, 2)
    expect(compare()).toMatchObject({ recalled: 2, failed: 1 })

    const [trace, ...others] = readdirSync(beside.folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.trace'),
    )
    expect(others).toEqual([])
    const text = inspect(readTrace(join(beside.folder, trace!), new Uint8Array(32)), {
      depth: 20,
      maxArrayLength: null,
      maxStringLength: null,
    })
    expect(text).toContain('secret-key')
    expect(text).not.toContain('the plain text')
    expect(text).not.toContain(server.line)
  })
})
