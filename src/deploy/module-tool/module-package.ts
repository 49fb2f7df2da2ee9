import { createReadStream, existsSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { compareCodeUnits } from '../../base/text/code-unit-order.ts'
import { localFiles } from '../../machine/system/files.ts'
import { parseCandidate } from './forge-modules.ts'
import { IgnorePatterns } from './ignore-patterns.ts'
import { moduleToolIssues as issues } from './issues.ts'
import { readMetadataFile } from './metadata-file.ts'

/** Files that no package contains, as in PDK. */
const alwaysIgnored = [
  '/pkg/',
  '.*',
  '~*',
  '/coverage',
  '/checksums.json',
  '/REVISION',
  '/spec/fixtures/modules/',
  '/vendor/',
]

/** Files with patterns of ignored files; the first that exists is read, as in PDK. */
const ignoreFiles = ['.pdkignore', '.pmtignore', '.gitignore']

/** A file or folder of a package. */
interface PackageEntry {
  /** Path from the root of the module. */
  readonly path: string
  /** Size in bytes; undefined for a folder. */
  readonly size: number | undefined
  readonly isExecutable: boolean
}

/** A built package. */
export interface BuiltPackage {
  readonly file: string
  readonly name: string
  readonly version: string
  /** Number of files. */
  readonly files: number
}

/**
 * Writes the package of a module: OWNER-NAME-VERSION.tar.gz in `folder`. The same files give the same bytes: entries are
 * sorted, and have no times and no owners. Throws PACKAGE_…, MODULE_METADATA_INVALID.
 */
export async function buildPackage(root: string, folder: string): Promise<BuiltPackage> {
  const { name, version } = parseCandidate(await readMetadataFile(root))
  const entries = await listEntries(root)
  const top = `${name}-${version}`
  for (const { path } of entries) checkPath(`${top}/${path}`)
  const tar = pack()
  const header = { uid: 0, gid: 0, mtime: new Date(0) }
  const write = async (): Promise<void> => {
    tar.entry({ ...header, name: `${top}/`, type: 'directory', mode: 0o755 })
    for (const { path, size, isExecutable } of entries) {
      const own = { ...header, name: `${top}/${path}`, mode: isExecutable ? 0o755 : 0o644 }
      if (size === undefined) tar.entry({ ...own, name: `${own.name}/`, type: 'directory' })
      else if (size === 0) tar.entry({ ...own, size }, '')
      else
        await pipeline(
          createReadStream(join(root, path)),
          tar.entry({ ...own, size }) as unknown as NodeJS.WritableStream,
        )
    }
    tar.finalize()
  }
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${top}.tar.gz`)
  const compressed = createGzip({ level: 9 })
  const packed = Promise.all([
    write().catch((error: Error) => tar.destroy(error)),
    pipeline(tar as unknown as Readable, compressed),
  ])
  packed.catch(() => {})
  await localFiles.write(file, compressed, packageMode)
  await packed
  return { file, name, version: String(version), files: entries.filter(({ size }) => size !== undefined).length }
}

/** Permissions of a package. */
const packageMode = 0o644

/** Lists the files and folders of a package in the order of their paths. */
async function listEntries(root: string): Promise<readonly PackageEntry[]> {
  const own = ignoreFiles.map((name) => join(root, name)).find((file) => existsSync(file))
  const lines = own === undefined ? [] : (await readFile(own, 'utf8')).split('\n')
  const patterns = new IgnorePatterns([...alwaysIgnored, ...lines])
  const entries: PackageEntry[] = []
  const { packageFiles } = budgets.module
  const visit = async (folder: string): Promise<void> => {
    for (const name of (await readdir(join(root, folder))).sort(compareCodeUnits)) {
      const path = folder === '' ? name : `${folder}/${name}`
      const stat = await lstat(join(root, path))
      if (patterns.ignores(path, stat.isDirectory())) continue
      if (stat.isSymbolicLink()) throwIssue(issues.PACKAGE_LINK, { path, target: await readlink(join(root, path)) })
      if (entries.length >= packageFiles.bound)
        throwIssue(issues.PACKAGE_TOO_LARGE, { most: packageFiles.bound, what: 'files' })
      if (stat.isFile()) entries.push({ path, size: stat.size, isExecutable: (stat.mode & 0o100) !== 0 })
      if (!stat.isDirectory()) continue
      entries.push({ path, size: undefined, isExecutable: true })
      await visit(path)
    }
  }
  await visit('')
  return entries
}

/** Longest last part, and longest other parts of a path, in bytes, in the format ustar. */
const [longestName, longestPrefix] = [100, 155]

/** Throws PACKAGE_PATH for a path that the format ustar, which all versions of Puppet read, cannot contain. */
function checkPath(path: string): void {
  const control = [...path].some((char) => char < ' ' || char > '~')
  if (control) throwIssue(issues.PACKAGE_PATH, { path, why: 'it contains characters other than ASCII' })
  if (path.length <= longestName) return
  for (let cut = path.indexOf('/'); cut >= 0; cut = path.indexOf('/', cut + 1))
    if (cut <= longestPrefix && path.length - cut - 1 <= longestName) return
  throwIssue(issues.PACKAGE_PATH, { path, why: 'it is too long' })
}
