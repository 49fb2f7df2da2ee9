import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import {
  findMetadata,
  findMountFile,
  type MountQuery,
  searchMetadata,
  splitMountAndPath,
} from '../../code/environments/file-serving.ts'
import type { Files } from '../../machine/system/system.ts'
import { getLocalSourcePath, getSourcePath, sourceStart } from '../../machine/windows/source-path.ts'
import type { PuppetV3 } from '../../network/client/puppet-v3.ts'
import type { Session } from '../../network/client/session.ts'
import { describeLocalFile, describeLocalTree } from '../resources/file-tree.ts'
import type { ProviderFileSources, SourceOptions } from '../resources/provider.ts'

const issues = defineIssues({
  SOURCE_UNSUPPORTED: { text: (a: { source: string }) => `Cannot use '${a.source}' as source for fileserving here` },
  SOURCE_GONE: { text: (a: { source: string }) => `Could not find any content at ${a.source}` },
})

/** File sources for one URL scheme. */
type SourcesOf = ProviderFileSources

/** Files on a server: `puppet:///modules/ntp/a.txt`. Content of a static catalog comes from the catalog's commit. */
export function createServerSources(session: Session, environment: string, codeId: string | undefined): SourcesOf {
  const select = ({ hostname, port }: URL): PuppetV3 =>
    hostname === '' ? session.puppet : session.at(hostname, port === '' ? undefined : Number(port))
  const toServerPath = (source: string) => getSourcePath(source).slice(1)
  return {
    metadata(source, { links, checksumType, sourcePermissions }) {
      const url = parseSourceUrl(source)
      const permissions = sourcePermissions === 'ignore' ? 'ignore' : 'use'
      return select(url).fileMetadata(toServerPath(source), {
        environment,
        links,
        checksumType,
        sourcePermissions: permissions,
      })
    },
    search(source, { links, checksumType, sourcePermissions, recurse, recurselimit, maxFiles, ignore }) {
      const url = parseSourceUrl(source)
      const permissions = sourcePermissions === 'ignore' ? 'ignore' : 'use'
      return select(url).fileMetadatas(toServerPath(source), {
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
        const url = parseSourceUrl(contentUri)
        return select(url).staticFileContent(toServerPath(contentUri), { environment, codeId })
      }
      const url = parseSourceUrl(source)
      return select(url).fileContent(toServerPath(source), { environment })
    },
  }
}

/** Resolves `puppet:///modules/…` from module folders on this machine, for `plumb apply`. */
export function createModuleSources(files: Files, modulepath: readonly string[]): SourcesOf {
  const findModuleFile = async (source: string): Promise<string | undefined> => {
    const [, kind, module, rest = ''] = /^\/([^/]+)\/([^/]+)(\/.*)?$/s.exec(getSourcePath(source)) ?? []
    if (kind !== 'modules' || rest.split('/').includes('..')) return undefined
    for (const directory of modulepath) {
      const path = `${directory}/${module}/files${rest}`
      if (await files.stat(path)) return path
    }
    return undefined
  }
  return {
    async metadata(source, options) {
      const path = await findModuleFile(source)
      return path === undefined ? undefined : describeLocalFile(files, path, options)
    },
    async search(source, options) {
      const path = await findModuleFile(source)
      return path === undefined ? undefined : describeLocalTree(files, path, options)
    },
    async content(_, source) {
      const path = await findModuleFile(source)
      return (
        (path === undefined ? undefined : await files.readParts(path)) ?? throwIssue(issues.SOURCE_GONE, { source })
      )
    },
  }
}

/** Resolves sources from code on this machine: a commit or a folder. */
export function createCodeSources(code: CompileEnvironment): SourcesOf {
  const toMountPath = (source: string) => splitMountAndPath(getSourcePath(source).slice(1))
  const toFileQuery = (source: string, { links, checksumType, sourcePermissions }: SourceOptions): MountQuery => ({
    ...toMountPath(source),
    links,
    checksumType,
    sourcePermissions: sourcePermissions === 'ignore' ? 'ignore' : 'use',
  })
  return {
    metadata: async (source, options) => findMetadata(code, toFileQuery(source, options)),
    async search(source, { recurse, recurselimit, maxFiles = 0, ignore, ...options }) {
      return searchMetadata(code, { ...toFileQuery(source, options), recurse, recurselimit, maxFiles, ignore })
    },
    async content(_, source) {
      const found = findMountFile(code, toMountPath(source))
      return found?.tree.read(found.path) ?? throwIssue(issues.SOURCE_GONE, { source })
    },
  }
}

/** Resolves local files: `file:///srv/a.txt`. */
function createLocalSources(files: Files): SourcesOf {
  return {
    metadata: (source, options) => describeLocalFile(files, getLocalSourcePath(source), options),
    search: (source, options) => describeLocalTree(files, getLocalSourcePath(source), options),
    async content(_, source) {
      return (await files.readParts(getLocalSourcePath(source))) ?? throwIssue(issues.SOURCE_GONE, { source })
    },
  }
}

/** Returns file sources that select the sources by URL scheme. */
export function createFileSources(files: Files, puppet: SourcesOf, web?: SourcesOf): ProviderFileSources {
  const local = createLocalSources(files)
  const select = (source: string): SourcesOf => {
    if (/^puppet:/i.test(source)) return puppet
    if (/^file:/i.test(source)) return local
    if (web && /^https?:/i.test(source)) return web
    return throwIssue(issues.SOURCE_UNSUPPORTED, { source })
  }
  return {
    metadata: async (source, options) => select(source).metadata(source, options),
    search: async (source, options) => select(source).search(source, options),
    content: async (metadata, source) => select(source).content(metadata, source),
  }
}

/** Scheme and authority of a source. The path is omitted, as it may contain characters that are invalid in a URL. */
function parseSourceUrl(source: string): URL {
  return new URL(sourceStart.exec(source)?.[0] ?? '')
}
