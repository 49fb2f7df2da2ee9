import { execFileSync, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { localFiles } from '../../../src/machine/system/files.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const root = resolve(import.meta.dirname, '../../..')
const worker = join(import.meta.dirname, 'write-for-ever.js')
const folder = scratchFolder('crash')

beforeAll(() => {
  if (!existsSync(join(root, 'dist/machine/system/files.js'))) execFileSync('node', ['scripts/build.js'], { cwd: root })
})

/** Every file below that is not one that a write had begun beside its place. */
function written(directory: string): string[] {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) => join(directory, name))
  return names.filter((path) => statSync(path).isFile() && !/^\..*\.tmp$/.test(basename(path)))
}

describe('a process that is killed while it writes', () => {
  it.each(['facts', 'report', 'bucket', 'catalog', 'state', 'exports'])(
    'leaves each file of %s whole',
    async (writer) => {
      const own = join(folder, writer)
      mkdirSync(own)
      for (let round = 0; round < 4; round++) {
        const child = fork(worker, [root, own, writer], { stdio: 'inherit' })
        const [word] = await Promise.race([once(child, 'message'), once(child, 'exit')])
        expect(word).toBe('begun')
        // Wall clock: the moment of the kill is of no matter.
        await new Promise((done) => setTimeout(done, 20 + round * 17))
        const ended = once(child, 'exit')
        child.kill('SIGKILL')
        await ended
        const paths = written(own)
        expect(paths).not.toHaveLength(0)
        for (const path of paths) {
          const text = readFileSync(path, 'utf8')
          if (basename(path) === 'paths') expect(text).toBe('etc/motd\n')
          else if (writer === 'report') expect(Object.keys(parse(text.replace(/^.*\n/, '')))).toHaveLength(4001)
          else expect(() => JSON.parse(text), path).not.toThrow()
          if (basename(path) === 'contents')
            expect(createHash('sha256').update(text).digest('hex')).toBe(basename(dirname(path)))
        }
      }
    },
  )
})

const mayMount = process.getuid?.() === 0 && process.platform === 'linux'

/** Needs root, for the mount. */
describe.runIf(mayMount)(`a full disk${mayMount ? '' : ' (left out: only root of Linux may mount one)'}`, () => {
  const disk = join(folder, 'disk')
  let mounted = false

  beforeAll(() => {
    mkdirSync(disk)
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk], { stdio: 'pipe' })
      mounted = true
    } catch {
      // A container whose root may not mount.
    }
  })
  afterAll(() => {
    if (mounted) execFileSync('umount', [disk])
  })

  it('is said, and what was there stays', async ({ skip }) => {
    if (!mounted) skip('root may not mount here')
    const path = join(disk, 'kept.json')
    await localFiles.write(path, 'before', 0o600)
    await expect(localFiles.write(path, Buffer.alloc(1024 * 1024))).rejects.toThrow('ENOSPC')
    expect(readFileSync(path, 'utf8')).toBe('before')
    expect(readdirSync(disk)).toEqual(['kept.json'])
    await localFiles.write(path, 'after')
    expect(readFileSync(path, 'utf8')).toBe('after')
  })
})
