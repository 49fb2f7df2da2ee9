import { createHash } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { budgets } from '../../../src/base/budgets/budgets.ts'
import { parseJson } from '../../../src/base/json/json-text.ts'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import { type Facts, factsFromWire, parseFactValues, toFactsDocument } from '../../../src/model/facts.ts'
import { createIndirection } from '../../../src/model/indirector/indirection.ts'
import { readModelText } from '../../../src/model/model-readers.ts'
import type { PuppetNode } from '../../../src/model/node.ts'
import { facts } from '../../../src/server/termini/facts/index.ts'
import { fileBucketFile } from '../../../src/server/termini/file-bucket-file/index.ts'
import { node } from '../../../src/server/termini/node/index.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('termini')
const { files, commands } = localSystem
const standard = loadSettings({ given: { certname: 'server.test', confdir: folder, vardir: folder } })

describe('nodes', () => {
  const known: Facts = {
    name: 'a',
    values: { os: 'Debian', role: 'fact' },
    timestamp: undefined,
    expiration: undefined,
  }
  const read = async (text: Buffer) => toFactsDocument(factsFromWire(parseJson(text.toString())))
  const factsServices = { files, settings: { server_datadir: folder, yamldir: folder }, read, readText: readModelText }
  const valued = ({ facts: text, ...found }: PuppetNode) => ({ ...found, facts: text && parseFactValues(text) })
  const setUp = async (terminus: string, program = '') => {
    const external = join(folder, `enc-${terminus}-${program.length}`)
    writeFileSync(external, `#!/bin/sh\n${program}\n`)
    chmodSync(external, 0o755)
    const stored = createIndirection(facts, factsServices, { terminus: 'memory' })
    await stored.save(toFactsDocument(known), { key: 'a' })
    const settings = { ...standard, server_datadir: folder, external_nodes: program === '' ? 'none' : external }
    return createIndirection(
      node,
      { facts: stored, system: localSystem, settings, readText: readModelText },
      { terminus },
    )
  }

  it('exec asks the classifier; its parameters win over facts', async () => {
    const nodes = await setUp('exec', `printf 'classes: {ntp: {servers: [x]}}\\nparameters: {role: %s}\\n' "$1"`)
    expect(valued((await nodes.find({ key: 'a', environment: 'test' }))!)).toEqual({
      name: 'a',
      environment: undefined,
      parameters: { role: 'a' },
      facts: { os: 'Debian', role: 'fact' },
      classes: { ntp: { servers: ['x'] } },
    })
  })

  it('exec may choose the environment, or know nothing', async () => {
    const chosen = await setUp('exec', 'echo environment: prod')
    expect((await chosen.find({ key: 'a', environment: 'test' }))?.environment).toBe('prod')
    const nothing = await setUp('exec', 'exit 0')
    expect(await nothing.find({ key: 'a', environment: 'test' })).toBeUndefined()
  })

  it.each([
    ['echo said; exit 3', /^Failed to find a via exec: Execution of '\/\S+ a' returned 3: said$/],
    ['yes', /^Failed to find a via exec: Execution of '\/\S+ a' printed more than 16 MiB$/],
    ['echo "- 1"', 'Could not load external node results for a: the output must be a hash'],
    ['echo "classes: 3"', 'Could not load external node results for a: classes must be an array of names, or a hash'],
  ] as const)('exec says what is wrong with %j', async (program, message) => {
    await expect((await setUp('exec', program)).find({ key: 'a' })).rejects.toThrow(message)
  })

  it('exec hands no name on that looks like an option', async () => {
    const nodes = await setUp('exec', 'echo "parameters: {is: $1}"')
    await expect(nodes.find({ key: '--config' })).rejects.toThrow('Invalid key')
    expect((await nodes.find({ key: 'a' }))?.parameters).toEqual({ is: 'a' })
  })

  it('exec tells what the classifier said of its failure', async () => {
    const failure = (await setUp('exec', 'echo broken >&2; exit 3')).find({ key: 'a' })
    await expect(failure).rejects.toMatchObject({ diagnostic: { hint: 'Its standard error: broken' } })
  })

  it('exec needs a program that is there, by its whole path', async () => {
    const settings = { ...standard, server_datadir: folder, external_nodes: '/nonexistent/enc' }
    const stored = createIndirection(facts, factsServices, { terminus: 'memory' })
    const services = { facts: stored, system: localSystem, settings, readText: readModelText }
    await expect(createIndirection(node, services, { terminus: 'exec' }).find({ key: 'a' })).rejects.toThrow(
      'Failed to find a via exec: Could not execute posix command: No such file or directory - /nonexistent/enc',
    )
    const relative = { ...services, settings: { ...settings, external_nodes: 'enc' } }
    expect(() => createIndirection(node, relative, { terminus: 'exec' })).toThrow('fully qualified command')
  })
})

describe('the bucket', () => {
  const settings = {
    bucketdir: join(folder, 'bucket'),
    digest_algorithm: 'sha256',
    bucket_max_file_size: 1024,
    bucket_min_free_space: 0,
  }

  describe('compares', () => {
    const sumOf = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')
    const roomy = { ...settings, bucket_max_file_size: 2 ** 30 }
    const compared = createIndirection(fileBucketFile, { files, commands, settings: roomy }, { terminus: 'file' })
    const kept = async (content: string | Uint8Array) => {
      const sum = sumOf(content)
      const bytes = Buffer.from(content)
      await compared.save({ size: bytes.length, content: Readable.from([bytes]) }, { key: `sha256/${sum}` })
      return sum
    }
    const diff = async (from: string | Uint8Array, to: string | Uint8Array, bucket = compared) => {
      const found = await bucket.find({ key: `sha256/${await kept(from)}`, diffWith: await kept(to) })
      return Buffer.concat(await Readable.from(found!.content).toArray())
    }
    const linesOf = (text: Buffer) => text.toString('latin1').split('\n').slice(2)

    it('as diff -u does, whatever the bytes', async () => {
      expect(linesOf(await diff('a\nb\nc\n', 'a\nB\nc\n'))).toEqual(['@@ -1,3 +1,3 @@', ' a', '-b', '+B', ' c', ''])
      const latin = await diff(Buffer.from('\xe9\n', 'latin1'), Buffer.from('\xe8\n', 'latin1'))
      expect(linesOf(latin)).toEqual(['@@ -1 +1 @@', '-\xe9', '+\xe8', ''])
      expect((await diff('\0a', '\0b')).toString()).toMatch(/^Binary files \S+contents and \S+contents differ\n$/)
      expect((await diff('same\n', 'same\n')).toString()).toBe('')
    })

    it('no large files, and none that differ in very much', async () => {
      const large = 'x'.repeat(budgets.request.bucketDiffFile.bound + 1)
      await expect(diff(large, 'x')).rejects.toThrow('cannot compare files of more than 4194304 bytes')
      const lines = (first: number) => Array.from({ length: 200_000 }, (_, index) => `${first + index}\n`).join('')
      await expect(diff(lines(0), lines(1_000_000))).rejects.toThrow('differ too much')
    })
  })
})
