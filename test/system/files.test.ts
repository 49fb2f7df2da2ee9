import { readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { localFiles as files } from '../../src/system/files.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

let directory: string
beforeEach(() => {
  directory = scratchFolder('files')
})
const at = (name: string): string => join(directory, name)

describe('files of this machine', () => {
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
