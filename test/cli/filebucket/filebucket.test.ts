import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('filebucket')
const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
const bucket = (...words: string[]) => runHere(['filebucket', ...words, ...places])
const local = (action: string, ...words: string[]) => bucket(action, '--local', ...words)

function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

async function kept(name: string, content: string): Promise<string> {
  const path = fileOf(name, content)
  const { out } = await local('backup', path)
  return out.replace(`${path}: `, '').trim()
}

describe('plumb filebucket', () => {
  it('keeps files, and gives them back', async () => {
    const path = fileOf('a', 'old\n')
    const { status, out, err } = await local('backup', path, '/nonexistent')
    const sum = 'a0ebb4ec75fb63c3e96ccbd81c5e6bc2d5e0b7f27ea9eb3a34c0b7ea6fdb2b4e'
    expect([status, err]).toEqual([0, '/nonexistent: no such file\n'])
    const [, given = ''] = /^.*: ([0-9a-f]{64})\n$/.exec(out) ?? []
    expect(given).toHaveLength(sum.length)
    expect((await local('get', given)).out).toBe('old\n')
    writeFileSync(path, 'new\n', { mode: 0o640 })
    const mode = statSync(path).mode
    expect(await local('restore', path, given)).toEqual({ status: 0, out: '', err: '' })
    expect([readFileSync(path, 'utf8'), statSync(path).mode]).toEqual(['old\n', mode])
    await local('restore', join(folder, 'not-there-before'), given)
    expect(readFileSync(join(folder, 'not-there-before'), 'utf8')).toBe('old\n')
  })

  it.each([
    [['get', '--local', 'f'.repeat(64)], 'Could not run: File not found'],
    [['list'], "Could not run: Listing remote file buckets is not allowed\n  Use 'plumb filebucket list --local'"],
    [['list', '--local', '--fromdate', 'soon'], "Could not run: Error while parsing 'fromdate'"],
    [['backup', '--local'], 'Could not run: You must specify a file to back up'],
  ])('refuses %j', async (words, why) => {
    const { status, err } = await bucket(...words)
    expect([status, err]).toEqual([1, expect.stringContaining(`Error: ${why}`)])
  })

  it('lists by path and time, between two dates', async () => {
    const sum = await kept('dated', 'dated')
    const paths = join(folder, 'var/clientbucket', ...sum.slice(0, 8), sum, 'paths')
    utimesSync(paths, 0, new Date('2026-03-04T05:06:07').getTime() / 1000)
    const line = `${sum} 2026-03-04 05:06:07 ${join(folder, 'dated')}\n`
    const within = ['--fromdate', '2026-03-04', '--todate', '2026-03-05']
    expect((await local('list', ...within)).out).toBe(line)
    expect((await local('list', '--fromdate', '2026-03-04 05:06:08')).out).not.toContain(line)
    expect((await local('list')).out).toContain(line)
  })

  it('lists nothing that a terminal would take for more than text, and no file without a path', async () => {
    const odd = join(folder, 'odd')
    for (const [name, paths] of [
      ['a', '/tmp/\u001b[2J\n/tmp/\u202e\n'],
      ['b', ''],
    ] as const) {
      mkdirSync(join(odd, name), { recursive: true })
      writeFileSync(join(odd, name, 'paths'), paths)
    }
    const { status, out } = await bucket('list', '--bucket', odd)
    expect([status, out.split('\n').length]).toEqual([0, 3])
    expect(out).not.toMatch(/[\u001b\u202e]/)
  })
})
