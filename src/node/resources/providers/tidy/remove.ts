import { posix } from 'node:path'
import { compileDottedNameGlob } from '../../../../base/text/glob.ts'
import type { Value } from '../../../../language/values/value.ts'
import type { FileStat } from '../../../../machine/system/system.ts'
import { appendPath, getParentPath } from '../../../../machine/windows/machine-path.ts'
import { listDeclaredMetaparameters } from '../../declared-metaparameters.ts'
import { checkEntryLimit } from '../../file-tree.ts'
import { type AnyResource, ManagedResource } from '../../managed-resource.ts'
import { defineProvider, type ProviderWork } from '../../provider.ts'
import { fileType } from '../../types/file.ts'
import { type TidyAttributes, tidy } from '../../types/tidy.ts'

type TidyWork = ProviderWork<TidyAttributes, undefined>

interface Found {
  readonly path: string
  readonly stat: FileStat
}

/** Number of entries above which a warning about a directory is logged. */
const manyFiles = 1000

/** The provider of `tidy`, which removes files by generating an absent file resource for each. */
export const remove = defineProvider<TidyAttributes>(tidy, 'remove', {
  doc: 'Generates a file resource with `ensure => absent` for each file to remove.',
  read: async () => ({}),
  async generate(work) {
    const { resource, log, catalog } = work
    const goes = createFilter(work)
    const found = (await listEntries(work)).filter((each) => !catalog.find('file', each.path) && goes(each))
    const paths = found.map(({ path }) => path)
    for (const path of paths) log('debug', `Tidying File[${path}]`)
    if (paths.length > 0) log('notice', `Tidying ${paths.length} files`)
    const within = resource.get('rmdirs') === true ? groupByDirectory(paths) : new Map<string, string[]>()
    return paths.sort(compareDescending).map((path) => createAbsentFile(work, path, within.get(path) ?? []))
  },
})

async function listEntries({ resource, system, log }: TidyWork): Promise<readonly Found[]> {
  const stat = await system.files.stat(resource.name)
  if (!stat) {
    log('debug', 'File does not exist')
    return []
  }
  const top = { path: resource.name, stat }
  const recurse = resource.get('recurse') ?? false
  if (recurse === false) return [top]
  const limit = recurse === true ? Number.POSITIVE_INFINITY : recurse
  const found: Found[] = []
  let level = [top]
  for (let depth = 1; depth <= limit && level.length > 0; depth++) {
    const next: Found[] = []
    for (const { path, stat } of level) {
      if (stat.kind !== 'directory') continue
      for (const name of (await system.files.list(path)) ?? []) {
        const below = appendPath(path, name)
        const seen = await system.files.stat(below)
        if (seen) next.push({ path: below, stat: seen })
      }
    }
    found.push(...next)
    level = next
  }
  const most = resource.get('max_files') ?? 0
  checkEntryLimit(resource.name, found.length, most)
  if (most === 0 && found.length > manyFiles)
    log(
      'warning',
      `The directory '${resource.name}' contains ${found.length} entries, which exceeds the default soft limit ${manyFiles} and may cause excessive resource consumption and degraded performance. To remove this warning set a value for \`max_files\` parameter or consider using an alternate method to manage large directory trees`,
      '',
    )
  return [top, ...found]
}

/** True for entries to remove: by name, and by age or size if given. */
function createFilter({ resource, system }: TidyWork): (entry: Found) => boolean {
  const globs = resource.get('matches')?.map((pattern) => compileDottedNameGlob(pattern))
  const [age, size] = [resource.get('age'), resource.get('size')]
  const seconds = Math.floor(system.now() / 1000)
  const getFileTime = ({ accessed, modified, changed }: FileStat) =>
    Math.floor({ atime: accessed, mtime: modified, ctime: changed }[resource.get('type') ?? 'atime'] / 1000)
  return ({ path, stat }) => {
    if (stat.kind === 'directory' && resource.get('rmdirs') !== true) return false
    if (globs && !globs.some((glob) => glob.matches(posix.basename(path)))) return false
    if (age === undefined && size === undefined) return true
    return (age !== undefined && seconds - getFileTime(stat) >= age) || (size !== undefined && stat.size >= size)
  }
}

/** Removed paths, grouped below their directory if it is removed, too. */
function groupByDirectory(paths: readonly string[]): Map<string, string[]> {
  const all = new Map<string, string[]>(paths.map((path) => [path, []]))
  for (const path of [...paths].sort(compareDescending)) all.get(getParentPath(path))?.push(path)
  return all
}

function createAbsentFile({ resource }: TidyWork, path: string, contents: readonly string[]): AnyResource {
  const values = new Map<string, Value>([
    ...listDeclaredMetaparameters(resource),
    ['path', path],
    ['backup', false],
    ['ensure', 'absent'],
    ['force', true],
  ])
  const before = values.get('require')
  if (contents.length > 0)
    values.set('require', [...[before ?? []].flat(), ...contents.map((each) => `File[${each}]`)] as Value)
  const made = new ManagedResource(fileType, { title: path, tags: ['file'], values })
  made.parse()
  return made
}

function compareDescending(a: string, b: string): number {
  return a < b ? 1 : -1
}
