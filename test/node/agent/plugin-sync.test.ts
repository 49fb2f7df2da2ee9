import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import type { FileMetadata } from '../../../src/model/file-metadata.ts'
import type { PuppetV3 } from '../../../src/network/client/puppet-v3.ts'
import { createLog, type LogLine } from '../../../src/node/agent/log.ts'
import { syncPlugins } from '../../../src/node/agent/plugins/plugin-sync.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

let folder: string
beforeEach(() => {
  folder = scratchFolder('plugins')
})

interface Served {
  readonly text: string
  readonly mode?: number
  /** What the server says of the bytes, when that is not true. */
  readonly sum?: string
}

function entry(relativePath: string, type: 'file' | 'directory', mode: number, sum: string): FileMetadata {
  const checksum = { type: 'sha256', value: `{sha256}${sum}` }
  const rest = { destination: undefined, contentUri: undefined, source: undefined, links: 'follow' as const }
  return { path: '/server', relativePath, owner: 0, group: 0, mode, checksum, type, ...rest }
}

/** A server that has these files. */
function serving(files: Readonly<Record<string, Served>>, fetched: string[]): PuppetV3 {
  const folders = new Set(Object.keys(files).flatMap((path) => path.split('/').slice(0, -1)))
  const sum = ({ text, sum = createHash('sha256').update(text).digest('hex') }: Served) => sum
  const server: Pick<PuppetV3, 'fileMetadatas' | 'fileContent'> = {
    fileMetadatas: async () => [
      entry('.', 'directory', 0o755, ''),
      ...[...folders].map((path) => entry(path, 'directory', 0o755, '')),
      ...Object.entries(files).map(([path, file]) => entry(path, 'file', file.mode ?? 0o644, sum(file))),
    ],
    fileContent: async (path) => {
      fetched.push(path)
      return Readable.from([Buffer.from(files[path.replace(/^\w+\//, '')]!.text)])
    },
  }
  return server as PuppetV3
}

async function sync(files: Readonly<Record<string, Served>>, keepModes = false) {
  const fetched: string[] = []
  const lines: LogLine[] = []
  const tree = { name: 'plugin', mount: 'plugins', destination: join(folder, 'lib'), keepModes }
  const log = createLog({ write: (line: LogLine) => void lines.push(line) })
  const puppet = serving(files, fetched)
  const failure = await syncPlugins(tree, {
    puppet,
    files: localSystem.files,
    environment: 'production',
    ignore: [],
    log,
  }).then(
    () => undefined,
    (error: Error) => error.message,
  )
  const notices = lines.filter(({ level }) => level === 'notice')
  return {
    fetched,
    failure,
    said: notices.map(({ source, message }) => `${source?.replace(folder, '')}: ${message.slice(0, 7)}`),
  }
}

describe('plug-ins', () => {
  it('are fetched once, then only when they change', async () => {
    const first = await sync({ 'facter/a.rb': { text: 'a' }, 'b.rb': { text: 'b' } })
    expect(statSync(join(folder, 'lib')).mode & 0o777).toBe(0o755)
    expect(first.fetched.sort()).toEqual(['plugins/b.rb', 'plugins/facter/a.rb'])
    expect((await sync({ 'facter/a.rb': { text: 'a' }, 'b.rb': { text: 'b' } })).said).toEqual([])
    const third = await sync({ 'facter/a.rb': { text: 'new' }, 'b.rb': { text: 'b' } })
    expect(third.fetched).toEqual(['plugins/facter/a.rb'])
    expect(third.said).toEqual(['/File[/lib/facter/a.rb]/content: content'])
    expect(readFileSync(join(folder, 'lib/facter/a.rb'), 'utf8')).toBe('new')
  })

  it('that the server does not have are removed', async () => {
    mkdirSync(join(folder, 'lib/old'), { recursive: true })
    writeFileSync(join(folder, 'lib/old/x.rb'), 'x')
    writeFileSync(join(folder, 'lib/y.rb'), 'y')
    const { said } = await sync({ 'b.rb': { text: 'b' } })
    expect(said).toContain('/File[/lib/old]/ensure: removed')
    expect(said).toContain('/File[/lib/y.rb]/ensure: removed')
  })

  it('that are programs stay programs', async () => {
    await sync({ fact: { text: '#!/bin/sh', mode: 0o755 } }, true)
    expect(statSync(join(folder, 'lib/fact')).mode & 0o777).toBe(0o755)
    chmodSync(join(folder, 'lib/fact'), 0o644)
    expect((await sync({ fact: { text: '#!/bin/sh', mode: 0o755 } }, true)).said).toEqual([
      '/File[/lib/fact]/mode: mode ch',
    ])
  })

  it('with other bytes than the server promised are not kept', async () => {
    const { failure } = await sync({ 'a.rb': { text: 'a', sum: '0'.repeat(64) } })
    expect(failure).toMatch(/did not match desired checksum/)
    expect(() => statSync(join(folder, 'lib/a.rb'))).toThrow()
  })

  it('never leave their folder', async () => {
    const { fetched } = await sync({ '../outside.rb': { text: 'x' } })
    expect(fetched).toEqual([])
  })
})
