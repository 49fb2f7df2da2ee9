import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { lstat, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { throwIssue } from '../../base/issue.ts'
import { spawnGit } from '../../code/git/git-command.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { migrationIssues as issues } from './issues.ts'

/** An environment of a codedir. */
export interface CodeFolder {
  readonly name: string
  readonly folder: string
  readonly files: readonly CodeFile[]
  readonly bytes: number
}

interface CodeFile {
  readonly path: string
  readonly mode: '100644' | '100755' | '120000'
  readonly size: number
  /** Modification time, in seconds since 1970. */
  readonly modified: number
}

/** Files of version control systems and r10k, which are not code. */
const leftOut: ReadonlySet<string> = new Set(['.git', '.svn', '.hg', '.r10k-deploy.json'])

/** The environments of an environmentpath; the first of each name. */
export async function listEnvironmentFolders(environmentpath: readonly string[]): Promise<readonly CodeFolder[]> {
  const found = new Map<string, CodeFolder>()
  for (const path of environmentpath)
    for (const name of (await localSystem.files.list(path)) ?? []) {
      const folder = join(path, name)
      if (found.has(name) || !/^[a-z0-9_]+$/.test(name) || !(await lstat(folder)).isDirectory()) continue
      const files = await listCodeFiles(folder, '')
      const bytes = files.reduce((sum, { size }) => sum + size, 0)
      found.set(name, { name, folder, files, bytes })
    }
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
}

async function listCodeFiles(root: string, below: string): Promise<CodeFile[]> {
  const files: CodeFile[] = []
  for (const name of (await readdir(join(root, below))).sort()) {
    if (leftOut.has(name)) continue
    const path = below === '' ? name : `${below}/${name}`
    const stat = await lstat(join(root, path))
    const common = { path, size: stat.size, modified: Math.floor(stat.mtimeMs / 1000) }
    if (stat.isDirectory()) files.push(...(await listCodeFiles(root, path)))
    else if (stat.isSymbolicLink()) files.push({ ...common, mode: '120000' })
    else if (stat.isFile()) files.push({ ...common, mode: (stat.mode & 0o100) === 0 ? '100644' : '100755' })
  }
  return files
}

/** Creates a bare repository with a one-commit branch for each environment. Equal folders give equal commit IDs. */
export async function importCode(folders: readonly CodeFolder[], repository: string): Promise<void> {
  const head = folders.find(({ name }) => name === 'production')?.name ?? folders[0]?.name ?? 'production'
  const { status, output } = await localSystem.commands.run(
    ['git', 'init', '--quiet', '--bare', `--initial-branch=${head}`, repository],
    { cwd: '/', env: { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TEMPLATE_DIR: '' } },
  )
  if (status !== 0) throwIssue(issues.IMPORT_FAILED, { why: output.trim() })
  const child = spawnGit({ gitDir: repository, quarantine: false }, ['fast-import', '--quiet', '--done'])
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk).slice(-4096)))
  child.stdout.resume()
  const ended = once(child, 'close')
  // The exit status of git reports the error.
  child.stdin.on('error', () => {})
  for (const folder of folders) await writeCommit(folder, child.stdin)
  child.stdin.end('done\n')
  const [code] = (await ended) as [number | null]
  if (code !== 0)
    throwIssue(issues.IMPORT_FAILED, { why: said.trim().split('\n')[0] ?? `git exited with status ${code}` })
}

async function writeCommit({ name, folder, files }: CodeFolder, out: Writable): Promise<void> {
  const time = Math.max(0, ...files.map(({ modified }) => modified))
  const message = `Import the environment ${name} from ${folder}\n`
  await writeToStream(out, `commit refs/heads/${name}\ncommitter Plumbline <plumbline@localhost> ${time} +0000\n`)
  await writeToStream(out, `data ${Buffer.byteLength(message)}\n${message}\n`)
  for (const { path, mode, size } of files) {
    await writeToStream(out, `M ${mode} inline ${quotePath(path)}\n`)
    if (mode === '120000') {
      const target = await readlink(join(folder, path))
      await writeToStream(out, `data ${Buffer.byteLength(target)}\n${target}\n`)
    } else await writeBlob(out, join(folder, path), size)
  }
}

async function writeBlob(out: Writable, path: string, size: number): Promise<void> {
  await writeToStream(out, `data ${size}\n`)
  let left = size
  // A file that grows during the copy is truncated to its recorded size. The import fails if a file shrinks.
  if (size > 0)
    for await (const chunk of createReadStream(path, { end: size - 1 })) {
      left -= (chunk as Buffer).length
      await writeToStream(out, chunk as Buffer)
    }
  if (left !== 0) throwIssue(issues.IMPORT_FAILED, { why: `${path} changed while it was read` })
  await writeToStream(out, '\n')
}

async function writeToStream(out: Writable, content: string | Buffer): Promise<void> {
  if (!out.write(content) && !out.destroyed) await Promise.race([once(out, 'drain'), once(out, 'close')])
}

/** Quotes a path for git fast-import, in C style. */
function quotePath(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
}
