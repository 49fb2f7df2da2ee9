import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { execaSync } from 'execa'
import { beforeAll, describe, expect, it } from 'vitest'
import { scratchFolder } from '../support/scratch-folder.ts'

const folder = scratchFolder('extension-vscode')
const script = resolve('scripts/extension-vscode.js')
let files: ReadonlyMap<string, Buffer>

/** The files of a zip archive, by its central directory. */
function readZip(zip: Buffer): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>()
  const end = zip.lastIndexOf('PK\x05\x06')
  let at = zip.readUInt32LE(end + 16)
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const length = zip.readUInt16LE(at + 28)
    const body = zip.readUInt32LE(at + 42) + 30 + length
    const name = zip.toString('latin1', at + 46, at + 46 + length)
    found.set(name, inflateRawSync(zip.subarray(body, body + zip.readUInt32LE(at + 20))))
    at += 46 + length
  }
  return found
}

/** Every relative path that a value contains. */
function listPaths(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.startsWith('./') ? [value.slice(2)] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listPaths) : []
}

beforeAll(() => {
  for (const name of ['a.vsix', 'b.vsix']) execaSync(process.execPath, [script, join(folder, name)])
  files = readZip(readFileSync(join(folder, 'a.vsix')))
})

describe('the extension for Visual Studio Code', () => {
  it('has the same bytes in each build', () => {
    expect(readFileSync(join(folder, 'a.vsix')).equals(readFileSync(join(folder, 'b.vsix')))).toBe(true)
  })

  it('contains the files that its manifests name', () => {
    const named = listPaths(JSON.parse(String(files.get('extension/package.json')))).map((path) => `extension/${path}`)
    const assets = [...String(files.get('extension.vsixmanifest')).matchAll(/Path="([^"]+)"/g)].map(([, path]) => path!)
    expect(named.length).toBeGreaterThan(3)
    expect([...named, ...assets].filter((path) => !files.has(path))).toEqual([])
  })

  it('names each package in its code with a license', () => {
    const licenses = String(files.get('extension/THIRD-PARTY.txt'))
    expect(licenses).toMatch(/^vscode-languageclient [\d.]+ \(MIT\)$/m)
    expect(licenses).toMatch(/^vscode-jsonrpc [\d.]+ \(MIT\)$/m)
  })

  it('starts the server with the settings of the editor', () => {
    const started = join(folder, 'started')
    const command = join(folder, 'command.sh')
    writeFileSync(command, `#!/bin/sh\nexec tee '${started}'\n`, { mode: 0o755 })
    writeFileSync(join(folder, 'extension.cjs'), files.get('extension/extension.js')!)
    writeFileSync(
      join(folder, 'editor.cjs'),
      createEditor({ path: command, node: 'web1', facts: 'spec/facts' }, started),
    )
    const { stdout } = execaSync(process.execPath, [join(folder, 'editor.cjs')], { timeout: 20_000 })
    expect(existsSync(started)).toBe(true)
    const { method, params } = JSON.parse(stdout.slice(stdout.indexOf('{')))
    expect({ method, options: params.initializationOptions }).toEqual({
      method: 'initialize',
      options: { node: 'web1', facts: 'spec/facts' },
    })
  })
})

/** A program that activates the extension in an editor without windows, and prints the first message to the server. */
function createEditor(settings: Readonly<Record<string, string>>, started: string): string {
  return `
const { existsSync, readFileSync, watch } = require('node:fs')
const Module = require('node:module')
const anything = () => new Proxy(class {}, {
  get: (target, name) => name in target || typeof name === 'symbol' ? target[name] : anything(),
  apply: () => anything(),
  construct: () => anything(),
})
const settings = ${JSON.stringify(settings)}
const vscode = new Proxy({
  version: '1.90.0',
  env: { appName: 'editor', language: 'en' },
  workspace: new Proxy({ getConfiguration: () => ({ get: (name) => settings[name] }), workspaceFolders: undefined, textDocuments: [] }, {
    get: (target, name) => name in target ? target[name] : anything(),
  }),
}, { get: (target, name) => name in target ? target[name] : anything() })
const load = Module._load
Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest))
process.on('unhandledRejection', (error) => { console.error(error); process.exit(1) })
watch(${JSON.stringify(folder)}, () => {
  const text = existsSync(${JSON.stringify(started)}) ? readFileSync(${JSON.stringify(started)}, 'utf8') : ''
  const [, length, body] = /^Content-Length: (\\d+)\\r\\n\\r\\n(.*)/s.exec(text) ?? []
  if (body === undefined || Buffer.byteLength(body) < Number(length)) return
  process.stdout.write(body.slice(0, Number(length)), () => process.exit())
})
require('./extension.cjs').activate()
`
}
