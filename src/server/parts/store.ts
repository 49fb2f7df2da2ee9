import { answersFolder, pruneAnswers } from '../../network/outside/kept-answers.ts'
import { exportsFrom, type ServerStore } from '../../store/exports/from-settings.ts'
import { storeFrom } from '../../store/from-settings.ts'
import { KeptCommits } from '../../store/kept-commits.ts'
import { Recorder } from '../../store/recording/recorder.ts'
import { addStoreMetrics } from '../metrics/state-metrics.ts'
import { authority, listsFile } from './authority.ts'
import { part } from './part.ts'
import type { Start } from './start.ts'

/** Commits named in stored catalogs. The environments are opened before the store and read these commits later. */
export const keptCommits = part('keptCommits', [], () => ({ value: new KeptCommits() }))

/** The store and its recorder; undefined without a store. */
export const store = part('store', [authority, keptCommits], async (parts) => {
  const opened = await openStore(parts, listsFile(parts.settings, parts.authority))
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
export const exports = part('exports', [store], ({ settings, system, store }) => {
  const exports = exportsFrom({ settings, files: system.files, store })
  return { value: exports, refresh: async () => exports?.refresh() }
})

/** The folder of external answers; undefined without a store. */
export const answers = part('answers', [store], ({ settings, store }) => {
  const answers = store && answersFolder(settings)
  const prune = () => {
    if (answers) void pruneAnswers(answers)
  }
  prune()
  return { value: answers, daily: prune }
})

/** `hostcrl` is the file of the revocation lists in force. */
async function openStore({ settings, system, log }: Start, hostcrl: string): Promise<ServerStore | undefined> {
  const store = await storeFrom({ ...settings, hostcrl }, (level, message) => log[level](message))
  if (!store) return undefined
  const recorder = new Recorder({
    store,
    producer: settings.certname,
    shared: settings.store !== 'sqlite',
    failing: settings.store === 'puppetdb',
    now: () => system.now(),
    say: (level, message) => log[level](message),
  })
  return { store, recorder }
}
