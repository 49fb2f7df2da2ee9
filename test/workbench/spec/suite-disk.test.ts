import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { OpenOptions } from '../../../src/ruby/wasi/disk.ts'
import { createSuiteDisk, listModuleFolders, SuitePaths } from '../../../src/workbench/spec/built-in/suite-disk.ts'
import { fc } from '../../support/properties.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const root = scratchFolder('disk')
for (const name of ['module/manifests', 'module/spec/fixtures/modules', 'other/manifests', 'secret', 'tmp'])
  mkdirSync(join(root, name), { recursive: true })
writeFileSync(join(root, 'module/file'), 'readable')
writeFileSync(join(root, 'other/file'), 'readable')
writeFileSync(join(root, 'secret/file'), 'secret')
symlinkSync('../secret', join(root, 'module/link'))
symlinkSync('../secret/file', join(root, 'tmp/link'))
const modules = join(root, 'module/spec/fixtures/modules')
symlinkSync(join(root, 'other'), join(modules, 'other'))
symlinkSync(join(root, 'secret'), join(modules, 'secret'))

const disk = createSuiteDisk(
  new SuitePaths({
    readable: [join(root, 'module'), ...listModuleFolders([modules, join(root, 'missing')])],
    writable: [join(root, 'tmp'), join(root, 'module/report.json')],
  }),
)
const reading: OpenOptions = {
  reads: true,
  writes: false,
  appends: false,
  creates: false,
  excludes: false,
  truncates: false,
  follows: true,
}
const writing: OpenOptions = { ...reading, writes: true, creates: true, truncates: true }

/** Text of a file, or the code of the error. */
function readText(path: string): string {
  try {
    const file = disk.open(path, reading)
    const bytes = Buffer.alloc(100)
    const size = file.read(bytes, 0)
    file.close()
    return bytes.toString('utf8', 0, size)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

function getErrorCode(work: () => void): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}

describe('files of a suite in the built-in Ruby', () => {
  it.each([
    ['module/file', 'readable'],
    ['module/../module/./file', 'readable'],
    ['module/spec/fixtures/modules/other/file', 'readable'],
    ['other/file', 'readable'],
    ['secret/file', 'ENOENT'],
    ['module/../secret/file', 'ENOENT'],
    ['module/link/file', 'ENOENT'],
    ['module/spec/fixtures/modules/secret/file', 'ENOENT'],
    ['tmp/link', 'ENOENT'],
    ['module/missing', 'ENOENT'],
  ])('reading %s gives %s', (path, expected) => {
    expect(readText(join(root, 'x', '..', path).replace(/^\//, ''))).toBe(expected)
  })

  it.each([
    ['tmp/new', undefined],
    ['module/report.json', undefined],
    ['module/file', 'EACCES'],
    ['module/new', 'EACCES'],
    ['tmp/../secret/new', 'EACCES'],
    ['tmp/link', 'EACCES'],
    ['secret/file', 'EACCES'],
  ])('writing %s gives the error %s', (path, expected) => {
    expect(getErrorCode(() => disk.open(`${root}/${path}`, writing).close())).toBe(expected)
    expect(readFileSync(join(root, 'secret/file'), 'utf8')).toBe('secret')
  })

  it('changes nothing outside of the writable files', () => {
    const at = (path: string) => `${root}/${path}`
    const changes: readonly (() => void)[] = [
      () => disk.removeFile(at('module/file')),
      () => disk.rename(at('tmp/link'), at('module/moved')),
      () => disk.link(at('secret/file'), at('tmp/hard')),
      () => disk.makeDirectory(at('secret/new')),
      () => disk.symlink(at('secret'), at('module/new')),
      () => disk.setTimes(at('module/file'), 0n, 0n, true),
    ]
    expect(changes.map(getErrorCode)).toEqual(changes.map(() => 'EACCES'))
  })

  it('shows the folders above, without their content', () => {
    expect(disk.status(root, true)?.kind).toBe('directory')
    expect(getErrorCode(() => disk.list(root))).toBe('EACCES')
    expect(disk.status(join(root, 'secret'), true)).toBeUndefined()
  })

  it('never reads other files, whatever the path', () => {
    const part = fc.constantFrom(
      '..',
      '.',
      'module',
      'link',
      'secret',
      'file',
      'tmp',
      'spec',
      '',
      'fixtures',
      'modules',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        expect(readText(`${root}/${parts.join('/')}`)).not.toBe('secret')
      }),
    )
  })
})
