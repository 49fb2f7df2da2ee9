import { getAnswersFolder, pruneAnswers } from '../../network/outside/answer-cache.ts'
import { openExportStore, type ServerStore } from '../../store/exports/export-settings.ts'
import { StoreRecorder } from '../../store/recording/recorder.ts'
import { ReferencedCommits } from '../../store/referenced-commits.ts'
import { openServerStore } from '../../store/store-settings.ts'
import { addStoreMetrics } from '../metrics/state-metrics.ts'
import { authorityPart, getRevocationListsFile } from './authority.ts'
import { definePart } from './part.ts'
import type { StartParameters } from './start-parameters.ts'

/** Commits named in stored catalogs. The environments are opened before the store and read these commits later. */
export const storedCommitsPart = definePart('keptCommits', [], () => ({ value: new ReferencedCommits() }))

/** The store and its recorder; undefined without a store. */
export const storePart = definePart('store', [authorityPart, storedCommitsPart], async (parts) => {
  const opened = await openStore(parts, getRevocationListsFile(parts.settings, parts.authority))
  parts.keptCommits.opened(opened?.store)
  const upkeep = opened?.store.upkeep
  return {
    value: opened,
    ...(upkeep && { metrics: (registry) => addStoreMetrics(registry, upkeep) }),
    refresh: async () => opened?.store.reload?.(),
    close: async () => opened?.store.close(),
  }
})

/** Exported resources; undefined without storeconfigs. */
export const exportsPart = definePart('exports', [storePart], ({ settings, system, store }) => {
  const exports = openExportStore({ settings, files: system.files, store })
  return { value: exports, refresh: async () => exports?.refresh() }
})

/** Folder with cached responses of external services; undefined without a store. */
export const answersPart = definePart('answers', [storePart], ({ settings, store }) => {
  const answers = store && getAnswersFolder(settings)
  const prune = () => {
    if (answers) void pruneAnswers(answers)
  }
  prune()
  return { value: answers, daily: prune }
})

/** Opens the store and its recorder. `hostcrl` is the path of the current revocation lists. */
async function openStore(
  { settings, system, log }: StartParameters,
  hostcrl: string,
): Promise<ServerStore | undefined> {
  const store = await openServerStore({ ...settings, hostcrl }, (level, message) => log[level](message))
  if (!store) return undefined
  const recorder = new StoreRecorder({
    store,
    producer: settings.certname,
    shared: settings.store !== 'sqlite',
    failing: settings.store === 'puppetdb',
    now: () => system.now(),
    say: (level, message) => log[level](message),
  })
  return { store, recorder }
}
