import { createDiagnostic, type Diagnostic } from '../../base/issue.ts'
import { trimTrailingSlashes } from '../../base/text/trailing-characters.ts'
import {
  describeMountFile,
  type FoundFile,
  findMountFile,
  isBuiltInMount,
  type MountQuery,
  searchFiles,
} from '../../code/environments/file-serving.ts'
import { isInlinedFile, resolveStaticScope } from '../../code/environments/static-catalog-files.ts'
import { toText } from '../../language/types/printing/text.ts'
import type { Value } from '../../language/values/value.ts'
import type { FileMetadata } from '../../model/file-metadata.ts'
import type { CatalogResource } from '../catalog/catalog-resource.ts'
import type { Compilation } from '../catalog/compilation.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import { issues } from '../request/issues.ts'

/** The file metadata in a static catalog. */
export interface StaticMetadata {
  readonly metadata: ReadonlyMap<string, FileMetadata>
  readonly recursiveMetadata: ReadonlyMap<string, ReadonlyMap<string, readonly FileMetadata[]>>
}

/**
 * Returns the metadata of module files that File resources use, so that an agent gets exactly the content in this
 * commit. For files outside the scope, agents request file_metadata, as for catalogs that are not static. A missing
 * file is omitted with a warning: only its resource fails on the node. protocol.md 4.
 */
export function buildStaticMetadata({ request: given, environment, table, host }: Compilation): StaticMetadata {
  const request = { ...given, environment }
  const metadata = new Map<string, FileMetadata>()
  const recursiveMetadata = new Map<string, ReadonlyMap<string, readonly FileMetadata[]>>()
  const codeId = request.codeId ?? request.environment.tree.codeId
  if (request.staticChecksum === undefined || codeId === undefined) return { metadata, recursiveMetadata }
  for (const resource of table.resources) {
    const sources = resource.type === 'File' && !resource.virtual ? listServerSources(resource) : []
    if (sources.length === 0) continue
    if (isRecursive(resource)) {
      const found = describeFolderSources(request, resource, sources)
      if (found === 'missing') host.warn(createMissingSourceWarning(resource, sources))
      else if (found) recursiveMetadata.set(resource.title, found)
    } else {
      const found = describeFirstSource(request, resource, sources)
      if (found === 'missing') host.warn(createMissingSourceWarning(resource, sources))
      else if (found) metadata.set(resource.title, found)
    }
  }
  return { metadata, recursiveMetadata }
}

function createMissingSourceWarning(resource: CatalogResource, sources: readonly string[]): Diagnostic {
  const span = resource.parameters.get('source')?.span ?? resource.span
  const source = resource.isSensitive('source') ? 'Sensitive [value redacted]' : sources.join(' or ')
  const what = { source, resource: resource.reference }
  return createDiagnostic(issues.MISSING_METADATA, what, span, 'warning')
}

/** Returns the sources of a File resource; empty unless all sources are on a server and the file must exist. */
function listServerSources(resource: CatalogResource): string[] {
  if (resource.get('ensure') === 'absent') return []
  const sources = toTexts(resource.get('source'))
  return sources.every((source) => source.startsWith('puppet:')) ? sources.map(trimSlashes) : []
}

function describeFirstSource(
  request: CompileRequest,
  resource: CatalogResource,
  sources: readonly string[],
): FileMetadata | 'missing' | undefined {
  for (const source of sources) {
    const place = parseSourcePath(request, source)
    if (!place) return undefined
    const query = createFileQuery(request, resource, place)
    const found = findMountFile(request.environment, query)
    if (!found) continue
    const contentUri = getContentUri(request, found, source)
    return contentUri === undefined ? undefined : { ...describeMountFile(found, query), contentUri, source }
  }
  return 'missing'
}

function describeFolderSources(
  request: CompileRequest,
  resource: CatalogResource,
  sources: readonly string[],
): ReadonlyMap<string, readonly FileMetadata[]> | 'missing' | undefined {
  const all = new Map<string, readonly FileMetadata[]>()
  const firstOnly = (resource.get('sourceselect') ?? 'first') === 'first'
  for (const source of sources) {
    const place = parseSourcePath(request, source)
    if (!place) return undefined
    const query = createFileQuery(request, resource, place)
    const files = searchFiles(request.environment, { ...query, ...getSearchOptions(resource) })
    if (!files) continue
    const described: FileMetadata[] = []
    for (const file of files) {
      const contentUri = getContentUri(request, file, source)
      if (contentUri === undefined) return undefined
      described.push({ ...describeMountFile(file, query), contentUri })
    }
    all.set(source, described)
    if (firstOnly) break
  }
  return all.size > 0 ? all : 'missing'
}

/**
 * Returns the path from the root of the tree, such as `puppet:///modules/demo/files/a b.txt`; `undefined` for a file
 * that is outside of the tree or is not served by commit. The path is not URL-encoded, since agents encode it. Puppet:
 * indirector/catalog/compiler.rb, get_content_uri.
 */
function getContentUri(
  { environment, staticScope = resolveStaticScope('auto', environment.tree.codeId) }: CompileRequest,
  { tree, path }: FoundFile,
  source: string,
): string | undefined {
  // In directory environments, each entry of the modulepath is a separate tree. The path on disk then determines the
  // URI, as in Puppet.
  if (tree !== environment.tree && environment.tree.codeId !== undefined) return undefined
  const [root, file] = [`${environment.tree.root}/`, `${tree.root}/${path}`]
  if (!file.startsWith(root) || !isInlinedFile(file.slice(root.length), staticScope)) return undefined
  const [, server = ''] = /^puppet:\/\/([^/]*)/.exec(source) ?? []
  return `puppet://${server}/${file.slice(root.length)}`
}

/**
 * Returns the mount and the path in `puppet://server/mount/path`; `undefined` for a mount that only the server can
 * resolve.
 */
function parseSourcePath(
  { environment, staticScope = resolveStaticScope('auto', environment.tree.codeId) }: CompileRequest,
  source: string,
): { mount: string; path: string } | undefined {
  const [, mount, path] = /^puppet:\/\/[^/]*\/([^/]+)\/(.*)$/s.exec(source) ?? []
  if (mount === undefined || path === undefined) return undefined
  return mount === 'modules' || (staticScope === 'all' && isBuiltInMount(mount)) ? { mount, path } : undefined
}

function createFileQuery(
  request: CompileRequest,
  resource: CatalogResource,
  place: { mount: string; path: string },
): MountQuery {
  const checksumType = resource.get('checksum')
  return {
    ...place,
    links: resource.get('links') === 'follow' ? 'follow' : 'manage',
    checksumType: checksumType === undefined ? request.staticChecksum! : toText(checksumType),
    sourcePermissions: (resource.get('source_permissions') ?? 'ignore') === 'ignore' ? 'ignore' : 'use',
  }
}

function getSearchOptions(resource: CatalogResource) {
  const limit = resource.get('recurselimit')
  return {
    recurse: true,
    recurselimit: limit === undefined ? undefined : Number(limit),
    maxFiles: Number(resource.get('max_files') ?? 0),
    ignore: toTexts(resource.get('ignore')),
  }
}

function isRecursive(resource: CatalogResource): boolean {
  return [true, 'true', 'remote'].includes(resource.get('recurse') as string | boolean)
}

function toTexts(value: Value): string[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value.flatMap(toTexts) : [toText(value)]
}

function trimSlashes(source: string): string {
  return trimTrailingSlashes(source)
}
