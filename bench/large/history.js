// A bare repository with a long history, made by one `git fast-import`.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { changedFiles, siteFiles } from './site.js'

/** The last commits are not packed: their objects are loose, as after pushes. */
const looseCommits = 100

/** Makes it: so many commits, each of which changes three or four files, in one pack but for the last; a ref for each. */
export async function makeHistory(bare, { commits }) {
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=production', bare])
  const packed = Math.max(1, commits - looseCommits)
  await fastImport(bare, 0, (write) => importCommits(write, 0, packed))
  await fastImport(bare, 1e6, (write) => importCommits(write, packed, commits))
  nameCommits(bare)
}

async function importCommits(write, from, to) {
  for (let number = from; number < to; number++) {
    const files = number === 0 ? siteFiles() : changedFiles(number)
    const after = number === from && number > 0 ? 'from refs/heads/production^0\n' : ''
    const parts = [
      `commit refs/heads/production\ncommitter Bench <bench@example.test> ${1.4e9 + number * 1000} +0000\n`,
    ]
    parts.push(`${data(`Change ${number}\n`)}${after}`)
    for (const [path, text] of files) parts.push(`M 100644 inline ${path}\n${data(text)}`)
    await write(parts.join(''))
  }
}

/** Data of a `git fast-import` stream. */
export function data(text) {
  return `data ${Buffer.byteLength(text)}\n${text}\n`
}

/** Runs `git fast-import`; `work` writes its stream. */
export async function fastImport(bare, unpackLimit, work) {
  const words = ['--git-dir', bare, '-c', `fastimport.unpackLimit=${unpackLimit}`, '-c', 'core.compression=1']
  const child = spawn('git', [...words, 'fast-import', '--quiet', '--done'], { stdio: ['pipe', 'inherit', 'inherit'] })
  const ended = once(child, 'close')
  await work(async (text) => {
    if (!child.stdin.write(text)) await once(child.stdin, 'drain')
  })
  child.stdin.end('done\n')
  const [status] = await ended
  if (status !== 0) throw new Error(`git fast-import ended with status ${status}`)
}

/** A ref for each commit, as code review has one for each change. */
function nameCommits(bare) {
  const ids = execFileSync('git', ['--git-dir', bare, 'rev-list', 'production'], { encoding: 'utf8', maxBuffer: 1e9 })
    .trim()
    .split('\n')
  const lines = ids.map((id, index) => `${id} refs/changes/${String(index % 100).padStart(2, '0')}/${index}/1`)
  const refs = [...lines, `${ids[0]} refs/heads/production`].sort((a, b) => (a.slice(41) < b.slice(41) ? -1 : 1))
  writeFileSync(join(bare, 'packed-refs'), `# pack-refs with: peeled fully-peeled sorted \n${refs.join('\n')}\n`)
}
