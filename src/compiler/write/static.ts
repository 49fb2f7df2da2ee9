import { type Diagnostic, diagnose } from '../../base/issue.ts'
import { withoutTrailingSlashes } from '../../base/text/trailing.ts'
import {
  describeFile,
  type FileQuery,
  type FoundFile,
  findFile,
  isMount,
  searchFiles,
} from '../../code/environments/file-serving.ts'
import { isInlined, staticScopeOf } from '../../code/environments/static-files.ts'
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
export function staticMetadata({ request: given, environment, table, host }: Compilation): StaticMetadata {
  const request = { ...given, environment }
  const metadata = new Map<string, FileMetadata>()
  const recursiveMetadata = new Map<string, ReadonlyMap<string, readonly FileMetadata[]>>()
  const codeId = request.codeId ?? request.environment.tree.codeId
  if (request.staticChecksum === undefined || codeId === undefined) return { metadata, recursiveMetadata }
  for (const resource of table.resources) {
    const sources = resource.type === 'File' && !resource.virtual ? sourcesOf(resource) : []
    if (sources.length === 0) continue
    if (isRecursive(resource)) {
      const found = recursive(request, resource, sources)
      if (found === 'missing') host.warn(missing(resource, sources))
      else if (found) recursiveMetadata.set(resource.title, found)
    } else {
      const found = single(request, resource, sources)
      if (found === 'missing') host.warn(missing(resource, sources))
      else if (found) metadata.set(resource.title, found)
    }
  }
  return { metadata, recursiveMetadata }
}

function missing(resource: CatalogResource, sources: readonly string[]): Diagnostic {
  const span = resource.parameters.get('source')?.span ?? resource.span
  const source = resource.isSensitive('source') ? 'Sensitive [value redacted]' : sources.join(' or ')
  const what = { source, resource: resource.reference }
  return diagnose(issues.MISSING_METADATA, what, span, 'warning')
}

/** Returns the sources of a File resource; empty unless all sources are on a server and the file must exist. */
function sourcesOf(resource: CatalogResource): string[] {
  if (resource.get('ensure') === 'absent') return []
  const sources = texts(resource.get('source'))
  return sources.every((source) => source.startsWith('puppet:')) ? sources.map(trimmed) : []
}

function single(
  request: CompileRequest,
  resource: CatalogResource,
  sources: readonly string[],
): FileMetadata | 'missing' | undefined {
  for (const source of sources) {
    const place = placeIn(request, source)
    if (!place) return undefined
    const query = queryFor(request, resource, place)
    const found = findFile(request.environment, query)
    if (!found) continue
    const contentUri = contentUriOf(request, found, source)
    return contentUri === undefined ? undefined : { ...describeFile(found, query), contentUri, source }
  }
  return 'missing'
}

function recursive(
  request: CompileRequest,
  resource: CatalogResource,
  sources: readonly string[],
): ReadonlyMap<string, readonly FileMetadata[]> | 'missing' | undefined {
  const all = new Map<string, readonly FileMetadata[]>()
  const firstOnly = (resource.get('sourceselect') ?? 'first') === 'first'
  for (const source of sources) {
    const place = placeIn(request, source)
    if (!place) return undefined
    const query = queryFor(request, resource, place)
    const files = searchFiles(request.environment, { ...query, ...searchOptions(resource) })
    if (!files) continue
    const described: FileMetadata[] = []
    for (const file of files) {
      const contentUri = contentUriOf(request, file, source)
      if (contentUri === undefined) return undefined
      described.push({ ...describeFile(file, query), contentUri })
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
function contentUriOf(
  { environment, staticScope = staticScopeOf('auto', environment.tree.codeId) }: CompileRequest,
  { tree, path }: FoundFile,
  source: string,
): string | undefined {
  // In directory environments, each entry of the modulepath is a separate tree. The path on disk then determines the
  // URI, as in Puppet.
  if (tree !== environment.tree && environment.tree.codeId !== undefined) return undefined
  const [root, file] = [`${environment.tree.root}/`, `${tree.root}/${path}`]
  if (!file.startsWith(root) || !isInlined(file.slice(root.length), staticScope)) return undefined
  const [, server = ''] = /^puppet:\/\/([^/]*)/.exec(source) ?? []
  return `puppet://${server}/${file.slice(root.length)}`
}

/**
 * Returns the mount and the path in `puppet://server/mount/path`; `undefined` for a mount that only the server can
 * resolve.
 */
function placeIn(
  { environment, staticScope = staticScopeOf('auto', environment.tree.codeId) }: CompileRequest,
  source: string,
): { mount: string; path: string } | undefined {
  const [, mount, path] = /^puppet:\/\/[^/]*\/([^/]+)\/(.*)$/s.exec(source) ?? []
  if (mount === undefined || path === undefined) return undefined
  return mount === 'modules' || (staticScope === 'all' && isMount(mount)) ? { mount, path } : undefined
}

function queryFor(
  request: CompileRequest,
  resource: CatalogResource,
  place: { mount: string; path: string },
): FileQuery {
  const checksumType = resource.get('checksum')
  return {
    ...place,
    links: resource.get('links') === 'follow' ? 'follow' : 'manage',
    checksumType: checksumType === undefined ? request.staticChecksum! : toText(checksumType),
    sourcePermissions: (resource.get('source_permissions') ?? 'ignore') === 'ignore' ? 'ignore' : 'use',
  }
}

function searchOptions(resource: CatalogResource) {
  const limit = resource.get('recurselimit')
  return {
    recurse: true,
    recurselimit: limit === undefined ? undefined : Number(limit),
    maxFiles: Number(resource.get('max_files') ?? 0),
    ignore: texts(resource.get('ignore')),
  }
}

function isRecursive(resource: CatalogResource): boolean {
  return [true, 'true', 'remote'].includes(resource.get('recurse') as string | boolean)
}

function texts(value: Value): string[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value.flatMap(texts) : [toText(value)]
}

function trimmed(source: string): string {
  return withoutTrailingSlashes(source)
}
