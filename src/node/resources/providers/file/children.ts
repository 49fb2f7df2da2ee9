import type { Value } from '../../../../language/values/value.ts'
import { appendPath, toPathKey } from '../../../../machine/windows/machine-path.ts'
import type { FileMetadata } from '../../../../model/file-metadata.ts'
import { describeLocalTree } from '../../file-tree.ts'
import { ManagedResource } from '../../managed-resource.ts'
import type { FileAttributes, FileWork } from './file-state.ts'

/** Attributes of the directory itself that its children do not inherit. */
const ownOnly = ['path', 'ensure', 'recurse', 'recurselimit', 'max_files', 'target', 'alias', 'source']

type Children = Map<string, ManagedResource<FileAttributes>>

/** Resources for existing and desired files in a directory. */
export async function generateChildren(work: FileWork): Promise<readonly ManagedResource<FileAttributes>[]> {
  const { resource } = work
  const recurse = resource.get('recurse')
  if (recurse !== 'true' && recurse !== 'remote') return []
  const children: Children = new Map()
  if (recurse === 'true') await addLocalFiles(work, children)
  if (resource.has('target')) await addLinks(work, children)
  else if (resource.has('source')) await addRemoteFiles(work, children)
  if (resource.get('purge'))
    for (const child of children.values()) if (!child.has('source')) child.put('ensure', 'absent')
  const sorted = [...children.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  return omitManaged(work, sorted)
}

function createChild({ resource }: FileWork, relative: string): ManagedResource<FileAttributes> {
  const path = appendPath(resource.name, relative)
  const values = new Map<string, Value>([['path', path]])
  for (const [name, value] of resource.given) if (!ownOnly.includes(name)) values.set(name, value)
  const made = new ManagedResource(resource.type, {
    title: path,
    file: resource.file,
    line: resource.line,
    tags: resource.tags,
    values,
  })
  made.provider = resource.provider
  made.parse()
  return made
}

function getSearchOptions(work: FileWork) {
  const { resource, settings } = work
  return {
    links: resource.get('links') ?? ('manage' as const),
    checksumType:
      resource.has('source') || resource.has('content')
        ? (resource.get('checksum') ?? settings.digest_algorithm)
        : 'none',
    sourcePermissions: resource.get('source_permissions') ?? 'ignore',
    recurse: true,
    recurselimit: resource.get('recurselimit'),
    maxFiles: resource.get('max_files'),
    ignore: resource.get('ignore') ?? [],
  }
}

async function addLocalFiles(work: FileWork, children: Children): Promise<void> {
  const entries = await describeLocalTree(work.system.files, work.resource.name, {
    ...getSearchOptions(work),
    checksumType: 'none',
  })
  for (const { relativePath } of entries ?? [])
    if (relativePath !== undefined && relativePath !== '.') children.set(relativePath, createChild(work, relativePath))
}

/** Adds links to the files of another directory. */
async function addLinks(work: FileWork, children: Children): Promise<void> {
  const target = work.resource.get('target')!
  for (const entry of (await describeLocalTree(work.system.files, target, getSearchOptions(work))) ?? []) {
    if (entry.relativePath === '.') {
      work.resource.put('ensure', 'directory')
      continue
    }
    const relative = entry.relativePath!
    const made = children.get(relative) ?? createChild(work, relative)
    children.set(relative, made)
    made.put('ensure', entry.type === 'directory' ? 'directory' : 'link')
    if (entry.type !== 'directory') made.put('target', appendPath(target, relative))
  }
}

async function addRemoteFiles(work: FileWork, children: Children): Promise<void> {
  for (const { metadata, source } of await listRemoteEntries(work)) {
    const relative = metadata.relativePath
    if (relative === undefined) continue
    if (relative === '.') {
      work.state.metadata = metadata
      work.state.source = source
      continue
    }
    const made = children.get(relative) ?? createChild(work, relative)
    children.set(relative, made)
    const from = `${source}/${relative}`
    made.put('source', [from])
    if (metadata.type === 'file') made.put('checksum', metadata.checksum.type as never)
    made.origin = { ...metadata, source: from }
  }
}

interface RemoteEntry {
  readonly metadata: FileMetadata
  readonly source: string
}

async function listRemoteEntries(work: FileWork): Promise<readonly RemoteEntry[]> {
  const { resource, catalog } = work
  const inlined = catalog.recursiveMetadata.get(resource.title)
  const first = resource.get('sourceselect') === 'first'
  const found = new Map<string, RemoteEntry>()
  for (const source of resource.get('source') ?? []) {
    const entries = inlined ? inlined.get(source) : await work.sources.search(source, getSearchOptions(work))
    if (!entries || entries.length === 0) continue
    const top = entries.find(({ relativePath }) => relativePath === '.')
    if (top && top.type !== 'directory') return []
    for (const metadata of entries) {
      const key = metadata.relativePath ?? '.'
      if (!found.has(key)) found.set(key, { metadata, source })
    }
    if (first) break
  }
  return [...found.values()]
}

/** Omits children that other resources of the catalog manage, and everything below them. */
function omitManaged(
  { resource, catalog }: FileWork,
  children: readonly ManagedResource<FileAttributes>[],
): readonly ManagedResource<FileAttributes>[] {
  const own = toPathKey(resource.name)
  const others = catalog
    .ofType('file')
    .map(({ name }) => toPathKey(name))
    .filter((name) => name !== own && name.startsWith(own.endsWith('/') ? own : `${own}/`))
  if (others.length === 0) return children
  // Puppet compares names with their case on Windows too, and so purges files that another resource manages.
  return children.filter((child) => {
    const name = toPathKey(child.name)
    return !others.some((other) => name === other || name.startsWith(`${other}/`))
  })
}
