import { posix } from 'node:path'
import { defineIssues, fail } from '../../base/issue.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import {
  type FileQuery,
  findFile,
  findMetadata,
  mountAndPath,
  searchMetadata,
} from '../../code/environments/file-serving.ts'
import type { Files } from '../../machine/system/system.ts'
import type { PuppetV3 } from '../../network/client/puppet-v3.ts'
import type { Session } from '../../network/client/session.ts'
import { describeFile, describeTree } from '../resources/file-tree.ts'
import type { FileSources, SourceOptions } from '../resources/provider.ts'

const issues = defineIssues({
  SOURCE_UNSUPPORTED: { text: (a: { source: string }) => `Cannot use '${a.source}' as source for fileserving here` },
  SOURCE_GONE: { text: (a: { source: string }) => `Could not find any content at ${a.source}` },
})

/** Sources for one URL scheme. */
type SourcesOf = FileSources

/** Files on a server: `puppet:///modules/ntp/a.txt`. Content of a static catalog comes from the catalog's commit. */
export function serverSources(session: Session, environment: string, codeId: string | undefined): SourcesOf {
  const of = ({ hostname, port }: URL): PuppetV3 =>
    hostname === '' ? session.puppet : session.at(hostname, port === '' ? undefined : Number(port))
  const pathOf = (source: string) => pathIn(source).slice(1)
  return {
    metadata(source, { links, checksumType, sourcePermissions }) {
      const url = urlOf(source)
      const permissions = sourcePermissions === 'ignore' ? 'ignore' : 'use'
      return of(url).fileMetadata(pathOf(source), { environment, links, checksumType, sourcePermissions: permissions })
    },
    search(source, { links, checksumType, sourcePermissions, recurse, recurselimit, maxFiles, ignore }) {
      const url = urlOf(source)
      const permissions = sourcePermissions === 'ignore' ? 'ignore' : 'use'
      return of(url).fileMetadatas(pathOf(source), {
        environment,
        links,
        checksumType,
        sourcePermissions: permissions,
        recurse,
        ignore,
        ...(recurselimit === undefined ? {} : { recurselimit }),
        ...(maxFiles === undefined ? {} : { maxFiles }),
      })
    },
    async content({ contentUri }, source) {
      if (contentUri !== undefined && codeId !== undefined) {
        const url = urlOf(contentUri)
        return of(url).staticFileContent(pathOf(contentUri), { environment, codeId })
      }
      const url = urlOf(source)
      return of(url).fileContent(pathOf(source), { environment })
    },
  }
}

/** Resolves `puppet:///modules/…` from module folders on this machine, for `plumb apply`. */
export function moduleSources(files: Files, modulepath: readonly string[]): SourcesOf {
  const find = async (source: string): Promise<string | undefined> => {
    const [, kind, module, rest = ''] = /^\/([^/]+)\/([^/]+)(\/.*)?$/s.exec(pathIn(source)) ?? []
    if (kind !== 'modules' || rest.split('/').includes('..')) return undefined
    for (const directory of modulepath) {
      const path = `${directory}/${module}/files${rest}`
      if (await files.stat(path)) return path
    }
    return undefined
  }
  return {
    async metadata(source, options) {
      const path = await find(source)
      return path === undefined ? undefined : describeFile(files, path, options)
    },
    async search(source, options) {
      const path = await find(source)
      return path === undefined ? undefined : describeTree(files, path, options)
    },
    async content(_, source) {
      const path = await find(source)
      return (path === undefined ? undefined : await files.readParts(path)) ?? fail(issues.SOURCE_GONE, { source })
    },
  }
}

/** Resolves sources from code on this machine: a commit or a folder. */
export function codeSources(code: CompileEnvironment): SourcesOf {
  const place = (source: string) => mountAndPath(pathIn(source).slice(1))
  const query = (source: string, { links, checksumType, sourcePermissions }: SourceOptions): FileQuery => ({
    ...place(source),
    links,
    checksumType,
    sourcePermissions: sourcePermissions === 'ignore' ? 'ignore' : 'use',
  })
  return {
    metadata: async (source, options) => findMetadata(code, query(source, options)),
    async search(source, { recurse, recurselimit, maxFiles = 0, ignore, ...options }) {
      return searchMetadata(code, { ...query(source, options), recurse, recurselimit, maxFiles, ignore })
    },
    async content(_, source) {
      const found = findFile(code, place(source))
      return found?.tree.read(found.path) ?? fail(issues.SOURCE_GONE, { source })
    },
  }
}

/** Resolves local files: `file:///srv/a.txt`. */
function localSources(files: Files): SourcesOf {
  return {
    metadata: (source, options) => describeFile(files, pathIn(source), options),
    search: (source, options) => describeTree(files, pathIn(source), options),
    async content(_, source) {
      return (await files.readParts(pathIn(source))) ?? fail(issues.SOURCE_GONE, { source })
    },
  }
}

/** Selects the sources by URL scheme. */
export function allSources(files: Files, puppet: SourcesOf, web?: SourcesOf): FileSources {
  const local = localSources(files)
  const of = (source: string): SourcesOf => {
    if (/^puppet:/i.test(source)) return puppet
    if (/^file:/i.test(source)) return local
    if (web && /^https?:/i.test(source)) return web
    return fail(issues.SOURCE_UNSUPPORTED, { source })
  }
  return {
    metadata: async (source, options) => of(source).metadata(source, options),
    search: async (source, options) => of(source).search(source, options),
    content: async (metadata, source) => of(source).content(metadata, source),
  }
}

/** Scheme and authority of a source. The path is omitted, as it may contain characters that are invalid in a URL. */
function urlOf(source: string): URL {
  return new URL(start.exec(source)?.[0] ?? '')
}

/**
 * The absolute path of a source. It is not URL-encoded: `#`, `?` and `%` are part of the file name,
 * as in a manifest.
 */
function pathIn(source: string): string {
  return posix.normalize(`/${source.replace(start, '')}`)
}

const start = /^[^:/]+:(?:\/\/[^/]*)?/
