import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { directFiles } from '../../../src/machine/system/direct-files.ts'
import { localFiles } from '../../../src/machine/system/files.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

let directory: string
beforeEach(() => {
  directory = scratchFolder('files')
})
const at = (name: string): string => join(directory, name)

describe.each([
  ['on threads', localFiles],
  ['asked at once', directFiles],
])('files of this machine, %s', (_, files) => {
  it('answers undefined about what is not there', async () => {
    writeFileSync(at('file'), 'x')
    expect(await files.stat(at('none'))).toBeUndefined()
    expect(await files.read(at('none'))).toBeUndefined()
    expect(await files.list(at('file'))).toBeUndefined()
    expect(await files.readLink(at('file'))).toBeUndefined()
    expect(await files.stat(at('file/below'))).toBeUndefined()
    expect(await files.readText(directory)).toBeUndefined()
  })

  it('tells a link from what it leads to', async () => {
    symlinkSync('nowhere', at('link'))
    expect(await files.stat(at('link'))).toMatchObject({ kind: 'link' })
    expect(await files.readLink(at('link'))).toBe('nowhere')
  })

  it('writes text, bytes and streams, with exactly the mode given', async () => {
    async function* chunks() {
      yield Buffer.from('one ')
      yield Buffer.from('two')
    }
    await files.write(at('a'), 'text', 0o600)
    await files.write(at('b'), new Uint8Array([1, 2]), 0o777)
    await files.write(at('c'), chunks())
    expect(await files.readText(at('a'))).toBe('text')
    expect(await files.readText(at('c'))).toBe('one two')
    expect(statSync(at('a')).mode & 0o7777).toBe(0o600)
    expect(statSync(at('b')).mode & 0o7777).toBe(0o777)
    expect(await files.list(directory)).toEqual(['a', 'b', 'c'])
  })

  it('keeps the mode of a file that it replaces', async () => {
    await files.write(at('a'), 'old', 0o640)
    await files.write(at('a'), 'new')
    expect(statSync(at('a')).mode & 0o7777).toBe(0o640)
  })

  it('gives what is so already a new time only', async () => {
    await files.write(at('a'), 'same', 0o640)
    utimesSync(at('a'), 1, 1)
    const { ino } = statSync(at('a'))
    await files.write(at('a'), 'same', 0o640)
    expect(statSync(at('a')).ino).toBe(ino)
    expect(statSync(at('a')).mtimeMs).toBeGreaterThan(1_000_000)
    await files.write(at('a'), 'same', 0o600)
    expect(statSync(at('a')).mode & 0o7777).toBe(0o600)
    await files.write(at('a'), 'some')
    expect(await files.readText(at('a'))).toBe('some')
  })

  it('leaves the old file, and nothing beside it, when the content fails', async () => {
    async function* broken() {
      yield Buffer.from('half')
      throw new Error('cut off')
    }
    await files.write(at('a'), 'old')
    await expect(files.write(at('a'), broken())).rejects.toThrow('cut off')
    expect(await files.readText(at('a'))).toBe('old')
    expect(readdirSync(directory)).toEqual(['a'])
  })

  it('removes whole folders, and does not mind an absent one', async () => {
    await files.makeDirectory(at('x/y/z'), 0o700)
    expect(statSync(at('x/y/z')).mode & 0o7777).toBe(0o700)
    await files.remove(at('x'))
    await files.remove(at('x'))
    expect(await files.stat(at('x'))).toBeUndefined()
  })
})

const isRoot = process.getuid?.() === 0
/** The user and group `nobody` of Debian. */
const nobody = 65534

describe('replacing a file', () => {
  it('checks the complete file at a random path before the old file is replaced', async () => {
    writeFileSync(at('a'), 'old')
    const staged: string[] = []
    const check = async (path: string) => {
      expect(readFileSync(path, 'utf8')).toBe('new')
      expect(readFileSync(at('a'), 'utf8')).toBe('old')
      staged.push(path)
    }
    for (const _ of [1, 2]) {
      await localFiles.replace(at('a'), 'new', { check })
      writeFileSync(at('a'), 'old')
    }
    expect(new Set(staged.map((path) => dirname(path)))).toEqual(new Set([directory]))
    expect(new Set(staged).size).toBe(2)
  })

  it('keeps the old file, and removes the new one, when the check fails', async () => {
    writeFileSync(at('a'), 'old')
    const check = () => Promise.reject(new Error('unfit'))
    await expect(localFiles.replace(at('a'), 'new', { check })).rejects.toThrow('unfit')
    expect(readFileSync(at('a'), 'utf8')).toBe('old')
    expect(readdirSync(directory)).toEqual(['a'])
  })

  it('moves the file out of a staging directory on another file system', async () => {
    const other = mkdtempSync('/dev/shm/plumb-staging-')
    try {
      await localFiles.replace(at('a'), 'new', { stagingDirectory: other, mode: 0o640 })
      expect(readFileSync(at('a'), 'utf8')).toBe('new')
      expect(statSync(at('a')).mode & 0o7777).toBe(0o640)
      expect([...readdirSync(other), ...readdirSync(directory)]).toEqual(['a'])
    } finally {
      rmSync(other, { recursive: true })
    }
  })

  it.runIf(isRoot)(
    'keeps the content from the owner of the old file until the new owner is set (needs root)',
    async () => {
      writeFileSync(at('a'), 'old')
      chownSync(at('a'), nobody, nobody)
      const seen: number[] = []
      async function* content() {
        const name = readdirSync(directory).find((each) => each !== 'a')!
        const { uid, mode } = statSync(at(name))
        seen.push(uid, mode & 0o777)
        yield Buffer.from('secret')
      }
      await localFiles.replace(at('a'), content(), { uid: 0, gid: 0, mode: 0o644 })
      expect(seen).toEqual([0, 0o600])
      expect(statSync(at('a'))).toMatchObject({ uid: 0, gid: 0 })
    },
  )

  it.runIf(isRoot)(
    'keeps the owner of the old file if none is given, and setuid with a new owner (needs root)',
    async () => {
      writeFileSync(at('a'), 'old')
      chownSync(at('a'), nobody, nobody)
      await localFiles.replace(at('a'), 'new', {})
      expect(statSync(at('a'))).toMatchObject({ uid: nobody, gid: nobody })
      await localFiles.replace(at('a'), 'new', { uid: 0, mode: 0o4755 })
      expect(statSync(at('a'))).toMatchObject({ uid: 0, gid: nobody })
      expect(statSync(at('a')).mode & 0o7777).toBe(0o4755)
    },
  )
})

describe.runIf(isRoot)('a new file in a setgid folder (needs root)', () => {
  it('has the group of the folder if only its owner is given', async () => {
    chownSync(directory, 0, nobody)
    chmodSync(directory, 0o2755)
    await localFiles.replace(at('a'), 'new', { uid: nobody })
    expect(statSync(at('a'))).toMatchObject({ uid: nobody, gid: nobody })
  })
})

describe('files that are asked at once', () => {
  it('are the same to the last byte, small and large', async () => {
    for (const size of [0, 1, 1024 * 1024, 1024 * 1024 + 1]) {
      writeFileSync(at('a'), Buffer.alloc(size, 'bytes'))
      const [own, other] = await Promise.all([directFiles.read(at('a')), localFiles.read(at('a'))])
      expect(own?.equals(other!)).toBe(true)
    }
  })

  it('leave timers their turn', async () => {
    let late = false
    // Wall clock: a timer is what is tested.
    setTimeout(() => (late = true), 30)
    while (!late) await directFiles.stat(directory)
  })

  it('are not waited for when nobody writes into a pipe', async () => {
    execFileSync('mkfifo', [at('pipe')])
    const read = directFiles.read(at('pipe'))
    const beside = localFiles.read(at('a')).then(() => 'beside')
    expect(await Promise.race([read, beside])).toBe('beside')
    // `writeFileSync` would block this thread, which the read may need before it opens the pipe.
    const written = writeFile(at('pipe'), 'at last')
    expect(String(await read)).toBe('at last')
    await written
  })
})

describe('parts of a file', () => {
  it('are its bytes, and undefined without a file', async () => {
    const bytes = Buffer.alloc(600_000, 'a\u00e9')
    writeFileSync(at('large'), bytes)
    const parts: Uint8Array[] = []
    for await (const part of (await localFiles.readParts(at('large')))!) parts.push(part)
    expect(Buffer.concat(parts).equals(bytes)).toBe(true)
    expect(parts.length).toBeGreaterThan(1)
    expect(await localFiles.readParts(at('absent'))).toBeUndefined()
  })

  it.skipIf(process.platform !== 'linux')('leave no descriptor open where nobody reads them', async () => {
    writeFileSync(at('small'), 'x')
    const open = () => readdirSync('/proc/self/fd').length
    const before = open()
    await Promise.all(Array.from({ length: 50 }, () => localFiles.readParts(at('small'))))
    expect(open()).toBeLessThan(before + 25)
  })
})

describe('a new folder', () => {
  it('has its mode, whatever the umask; one that a link leads to keeps its own', async () => {
    await localFiles.makeDirectory(at('a/b'), 0o777)
    expect(statSync(at('a/b')).mode & 0o777).toBe(0o777)
    await localFiles.makeDirectory(at('target'), 0o700)
    symlinkSync(at('target'), at('link'))
    await localFiles.makeDirectory(at('link'), 0o777)
    expect(statSync(at('target')).mode & 0o777).toBe(0o700)
  })
})
