import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { budgets } from '../../../src/base/budgets/budgets.ts'
import { serveGit } from '../../../src/code/git/git-service.ts'
import { encodePktLine } from '../../../src/code/git/pkt-line.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { objectName, pack, packed, repeatingDelta } from './expanding-pack.ts'

const MiB = 1024 * 1024

/** Memory of all processes below this one, as Linux counts it now. Bytes. */
function childrenBytes(): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, , parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '0 ')
          .split(' ')
        const [, pages] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')
        return [{ pid: Number(pid), parent: Number(parent), bytes: Number(pages) * 4096 }]
      } catch {
        return [] // It has ended.
      }
    })
  const below = (parent: number): number =>
    processes.filter((each) => each.parent === parent).reduce((sum, { pid, bytes }) => sum + bytes + below(pid), 0)
  return below(process.pid)
}

/** Pushes a pack to a new bare repository; answers git's words and the most memory that its processes were seen with. */
async function push(objects: readonly Buffer[], tip: string) {
  const gitDir = join(scratchFolder('memory'), 'code.git')
  execFileSync('git', ['init', '-q', '--bare', gitDir])
  const git = serveGit(gitDir, 'receive-pack')
  let answer = ''
  git.stdout.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')))
  const sent = pack(objects)
  git.stdin.write(
    Buffer.concat([
      encodePktLine(`${'0'.repeat(40)} ${tip} refs/heads/production\0report-status`),
      Buffer.from('0000'),
    ]),
  )
  git.stdin.end(sent)
  let most = 0
  const watch = setInterval(() => (most = Math.max(most, childrenBytes())), 10)
  const { said } = await git.ended
  clearInterval(watch)
  return { sentBytes: sent.length, answer, said, mostBytes: most }
}

/** A commit without files, so that a pack has a tip. */
function commitOf(tree: string): Buffer {
  const person = 'a <a@example.test> 0 +0000'
  return Buffer.from(`tree ${tree}\nauthor ${person}\ncommitter ${person}\n\nx\n`)
}

const emptyTree = Buffer.alloc(0)
const commit = commitOf(objectName('tree', emptyTree))
const tip = objectName('commit', commit)
const tipObjects = [packed('commit', commit), packed('tree', emptyTree)]

describe('a push that expands', () => {
  it('is accepted up to the limit of an object', async () => {
    const base = Buffer.alloc(8 * MiB)
    const delta = packed('refDelta', repeatingDelta(base.length, 4), objectName('blob', base))
    const { answer, said } = await push([...tipObjects, packed('blob', base), delta], tip)
    expect(said).toBe('')
    expect(answer).toContain('unpack ok')
  })

  it.each([
    ['one file of 4 GiB', 'blob', 256, 1],
    ['a file a byte over the limit', 'blob', 17, 1],
    ['a tree of 4 GiB', 'tree', 256, 1],
    ['more objects than are unpacked at once', 'blob', 256, 120],
  ] as const)('is refused with %s, and takes no more memory than the limit', async (_, kind, times, count) => {
    const base = Buffer.alloc(16 * MiB - 1)
    const name = objectName(kind, base)
    const delta = packed('refDelta', repeatingDelta(base.length, times), name)
    const objects = [...tipObjects, packed(kind, base), ...Array<Buffer>(count).fill(delta)]
    const { sentBytes, answer, said, mostBytes } = await push(objects, tip)
    expect(sentBytes).toBeLessThan(64 * 1024)
    expect(`${answer} ${said}`).toMatch(/attempting to allocate|unpack (?:unpack-objects|index-pack) abnormal exit/)
    expect(answer).not.toContain('unpack ok')
    expect(mostBytes).toBeLessThan(budgets.git.memory.bound)
  })

  it('is refused with commits below the limit of an object that together exceed the limit of git', async () => {
    const base = Buffer.concat([commit, Buffer.alloc(16 * MiB - 1 - commit.length, 'a')])
    const name = objectName('commit', base)
    const deltas = [10, 11, 12, 13, 14, 15].map((times) => packed('refDelta', repeatingDelta(base.length, times), name))
    const { answer, said, mostBytes } = await push([...tipObjects, packed('commit', base), ...deltas], tip)
    expect(`${answer} ${said}`).toMatch(/abnormal exit/)
    expect(answer).not.toContain('unpack ok')
    expect(mostBytes).toBeLessThan(budgets.git.memory.bound)
  })
})
