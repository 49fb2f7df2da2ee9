import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { budgets } from '../../../src/base/budgets/budgets.ts'
import { createConfinedFiles } from '../../../src/machine/system/confined-files.ts'
import { fc } from '../../support/properties.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Forest, forests, readPaths, writeForest } from './link-forests.ts'

/** A root with /etc/a, and beside it a file that nobody may read through it. */
function rootBeside(): string {
  const folder = scratchFolder('confined')
  writeFileSync(join(folder, 'outside'), 'outside')
  mkdirSync(join(folder, 'root/etc'), { recursive: true })
  writeFileSync(join(folder, 'root/etc/a'), 'inside')
  return join(folder, 'root')
}

describe('a link', () => {
  it.each([
    ['a', 'inside'],
    ['/etc/a', 'inside'],
    ['../etc/a', 'inside'],
    ['../../../../etc/a', 'inside'],
    ['/../etc/./a', 'inside'],
    ['../../outside', undefined],
    ['/../outside', undefined],
    ['/proc/self/root/etc/passwd', undefined],
    ['/dev/zero', undefined],
    ['link', undefined],
    ['a/../a', undefined],
    ['x'.repeat(300), undefined],
    ['/etc', undefined],
  ])('to %s gives %s', async (target, content) => {
    const root = rootBeside()
    symlinkSync(target, join(root, 'etc/link'))
    const files = createConfinedFiles(root)
    expect(await files.readText('/etc/link')).toBe(content)
    expect(await files.readLink('/etc/link')).toBe(target)
    expect((await files.stat('/etc/link'))?.kind).toBe('link')
  })

  it('to the absolute path of this machine does not lead there', async () => {
    const root = rootBeside()
    symlinkSync(join(root, '../outside'), join(root, 'etc/link'))
    symlinkSync(join(root, '..'), join(root, 'etc/up'))
    const files = createConfinedFiles(root)
    expect(await files.readText('/etc/link')).toBeUndefined()
    expect(await files.readText('/etc/up/outside')).toBeUndefined()
    expect(await files.list('/etc/up')).toBeUndefined()
  })

  it('is followed forty times', async () => {
    const root = rootBeside()
    for (let each = 0; each < 41; each++) symlinkSync(each === 0 ? 'a' : `l${each - 1}`, join(root, `etc/l${each}`))
    const files = createConfinedFiles(root)
    expect(await files.readText('/etc/l39')).toBe('inside')
    expect(await files.readText('/etc/l40')).toBeUndefined()
  })
})

describe('the bounds', () => {
  it('end the reading of a large file, and of many', async () => {
    const root = rootBeside()
    writeFileSync(join(root, 'etc/large'), '')
    truncateSync(join(root, 'etc/large'), budgets.machine.rootFile.bound + 1)
    truncateSync(join(root, 'etc/a'), budgets.machine.rootFile.bound)
    const files = createConfinedFiles(root)
    await expect(files.read('/etc/large')).rejects.toThrow('large exceeds 1048576 bytes')
    for (let each = 0; each < 16; each++) await files.read('/etc/large').catch(() => {})
    expect(await files.read('/etc/a'), 'a rejected file is not counted').toHaveLength(budgets.machine.rootFile.bound)
    const other = createConfinedFiles(root)
    for (let each = 0; each < 16; each++) await other.read('/etc/a')
    await expect(other.read('/etc/a')).rejects.toThrow('/etc/a is not read: the read files exceed 16777216 bytes')
  })

  it('refuse every change', async () => {
    const files = createConfinedFiles(rootBeside())
    await expect(files.write('/etc/a', '')).rejects.toThrow('/etc/a belongs to a root directory that is only read')
    await expect(files.link('a', '/etc/b')).rejects.toThrow('/etc/b belongs')
    await expect(files.remove('/etc/a')).rejects.toThrow('/etc/a belongs')
  })
})

describe('no forest of links', () => {
  it('leads outside', async () => {
    await fc.assert(
      fc.asyncProperty(forests, async (forest: Forest) => {
        const folder = scratchFolder('forest')
        writeFileSync(join(folder, 'outside'), 'outside')
        const paths = writeForest(join(folder, 'root'), forest)
        const read = await readPaths(join(folder, 'root'), paths)
        for (const [path, content] of Object.entries(read)) expect([undefined, ...paths], path).toContain(content)
      }),
      { numRuns: 60 },
    )
  })
})
