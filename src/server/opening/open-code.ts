import { join } from 'node:path'
import { fail } from '../../base/issue.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { openRepository } from '../../code/git/open-repository.ts'
import { openSourceStore } from '../../code/git/remotes/source-store.ts'
import { CodeSources } from '../../deploy/sources/code-sources.ts'
import { readSourcesFile } from '../../deploy/sources/read-sources-file.ts'
import { sourceIssues } from '../../deploy/sources/source-issues.ts'
import { pinoLevel } from '../logger.ts'
import type { ServerParts } from './server-parts.ts'

/** The repository that a server serves, and the sources from which it is filled, where there are any. */
export interface OpenedCode {
  /** `undefined` where code is in folders. */
  readonly source: GitObjectSource | undefined
  readonly sources: CodeSources | undefined
  close(): Promise<void>
}

/**
 * Opens the code of the settings. Sources that the store has nothing of are fetched at once, so that there is something to
 * serve; all others go on as they were. Throws what is wrong with the repository or the file of sources.
 */
export async function openCode(parts: ServerParts): Promise<OpenedCode> {
  const { settings } = parts
  const repository = settings.code_repo
  const open = () => openRepository(repository, { spoolFolder: settings.vardir })
  if (settings.code_sources === '') {
    const source = repository === '' ? undefined : await open()
    return { source, sources: undefined, close: async () => source?.close() }
  }
  const folder = join(settings.vardir, 'sources')
  if (repository !== join(folder, 'code.git')) fail(sourceIssues.REPOSITORY_AND_SOURCES, { repository })
  // What is wrong with the file is said before anything is made.
  await readSourcesFile(settings, parts.system.files)
  const store = await openSourceStore(repository, settings.environment)
  const source = await open()
  try {
    const sources = await openSources(parts, { store, source, folder })
    return { source, sources, close: () => sources.close().then(() => source.close()) }
  } catch (error) {
    await source.close()
    throw error
  }
}

interface Opened {
  readonly store: Awaited<ReturnType<typeof openSourceStore>>
  readonly source: GitObjectSource
  readonly folder: string
}

async function openSources(parts: ServerParts, { store, source, folder }: Opened): Promise<CodeSources> {
  const { settings, system, log, progress, telemetry } = parts
  const sources = await CodeSources.open({
    store,
    objects: source,
    incoming: join(folder, 'incoming'),
    frozenFile: join(settings.server_datadir, 'frozen-environments.json'),
    files: system.files,
    read: () => readSourcesFile(settings, system.files),
    now: () => system.now(),
    fetched: (fetch) => telemetry.sources.fetched(fetch),
    log: (level, message) => log[pinoLevel(level)](message),
  })
  await sources.first((names) => progress(`Fetching ${names.join(', ')} for the first time`))
  return sources
}
