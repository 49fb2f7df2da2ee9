import { join } from 'node:path'
import { throwIssue } from '../../base/issue.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { openSourceStore } from '../../code/git/remotes/source-store.ts'
import { openRepository } from '../../code/git/repository-opener.ts'
import { CodeSources } from '../../deploy/sources/code-sources.ts'
import { sourceIssues } from '../../deploy/sources/source-issues.ts'
import { readSourcesFile } from '../../deploy/sources/sources-file.ts'
import { toPinoLevel } from '../logger.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { definePart } from './part.ts'
import type { StartParameters } from './start-parameters.ts'
import { telemetryPart } from './telemetry.ts'

/** The repository with the deployed code, and its sources. */
interface ServedCode {
  /** The repository; undefined if the code is in folders. */
  readonly source: GitObjectSource | undefined
  /** The sources of the repository, if the setting `code_sources` is set. */
  readonly sources: CodeSources | undefined
}

type CodeParts = StartParameters & { readonly telemetry: Telemetry }

/** The repository and its sources. An invalid repository ends the start before anything is created. */
export const codePart = definePart('code', [telemetryPart], async (parts) => {
  const { source, sources } = await openCode(parts)
  const close = async () => {
    await sources?.close()
    await source?.close()
  }
  return { value: { source, sources } satisfies ServedCode, close, ...(sources && { reload: sources }) }
})

/**
 * Opens the repository. Sources that the repository does not contain yet are fetched at once, other sources at their
 * intervals. Throws if the repository or the file of sources is invalid.
 */
async function openCode(parts: CodeParts): Promise<ServedCode> {
  const { settings } = parts
  const repository = settings.code_repo
  const open = () => openRepository(repository, { spoolFolder: settings.vardir })
  if (settings.code_sources === '') return { source: repository === '' ? undefined : await open(), sources: undefined }
  const folder = join(settings.vardir, 'sources')
  if (repository !== join(folder, 'code.git')) throwIssue(sourceIssues.REPOSITORY_AND_SOURCES, { repository })
  // An invalid file ends the start before anything is created.
  await readSourcesFile(settings, parts.system.files)
  const store = await openSourceStore(repository, settings.environment)
  const source = await open()
  try {
    return { source, sources: await openSources(parts, { store, source, folder }) }
  } catch (error) {
    await source.close()
    throw error
  }
}

interface OpenedStore {
  readonly store: Awaited<ReturnType<typeof openSourceStore>>
  readonly source: GitObjectSource
  readonly folder: string
}

async function openSources(parts: CodeParts, { store, source, folder }: OpenedStore): Promise<CodeSources> {
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
    log: (level, message) => log[toPinoLevel(level)](message),
  })
  await sources.first((names) => progress(`Fetching ${names.join(', ')} for the first time`))
  return sources
}
