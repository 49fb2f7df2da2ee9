import { defineIssues, throwIssue } from '../base/issue.ts'
import type { Settings } from '../machine/settings/settings.ts'
import { localSystem } from '../machine/system/local-system.ts'
import type { NodeStore } from './node-store.ts'
import { openPuppetDbStore, type PuppetDbSettings } from './puppetdb/puppetdb-settings.ts'
import type { RetentionTimes } from './retention/times.ts'
import { findMissingFile, parseStoreSetting } from './store-location.ts'
import { type ReadableStore, Store } from './thread/store.ts'

const issues = defineIssues({
  EVENTS_OUTLIVE_REPORTS: {
    text: () => 'The resource_events_ttl must not be longer than report_ttl',
    hint: () => 'Events belong to reports and are deleted with them.',
  },
})

/** The names of the settings for retention times. */
export type RetentionSettings = Pick<
  Settings,
  'node_ttl' | 'node_purge_ttl' | 'report_ttl' | 'resource_events_ttl' | 'catalog_history_ttl' | 'fact_history_ttl'
>

/** The settings that determine which store is used. */
export type StoreSettings = Pick<Settings, 'store' | 'store_replicas' | 'server_datadir'> & PuppetDbSettings

/** Retention times from the settings, in milliseconds. Throws EVENTS_OUTLIVE_REPORTS. */
export function getRetentionTimes(settings: RetentionSettings): RetentionTimes {
  if (toRetentionMs(settings.resource_events_ttl) > toRetentionMs(settings.report_ttl))
    throwIssue(issues.EVENTS_OUTLIVE_REPORTS, {})
  return {
    nodeTtl: toRetentionMs(settings.node_ttl),
    nodePurgeTtl: toRetentionMs(settings.node_purge_ttl),
    reportTtl: toRetentionMs(settings.report_ttl),
    resourceEventsTtl: toRetentionMs(settings.resource_events_ttl),
    catalogHistoryTtl: toRetentionMs(settings.catalog_history_ttl),
    factHistoryTtl: toRetentionMs(settings.fact_history_ttl),
  }
}

/** Converts seconds to milliseconds; 0 means forever. */
function toRetentionMs(seconds: number): number {
  return seconds === 0 ? Number.POSITIVE_INFINITY : seconds * 1000
}

/**
 * Opens the configured store for a server, which writes to it; `undefined` for `store = none`.
 * Throws EVENTS_OUTLIVE_REPORTS, STORE_UNAVAILABLE.
 */
export async function openServerStore(
  settings: StoreSettings & RetentionSettings & Pick<Settings, 'gc_interval'>,
  say: (level: 'error' | 'info', message: string) => void,
): Promise<NodeStore | undefined> {
  const named = parseStoreSetting(settings)
  if (named.kind === 'none') return undefined
  if (named.kind === 'puppetdb')
    return openPuppetDbStore(settings, localSystem.files, (message) => say('error', message))
  return Store.open({
    ...named,
    times: getRetentionTimes(settings),
    gcInterval: toRetentionMs(settings.gc_interval),
    stuck: (problem) => say('error', `The database of the store is unavailable; retrying: ${problem}`),
    recovered: () => say('info', 'The database of the store is available again; storing the waiting commands'),
    discarded: (uuid, problem) => say('error', `Could not store the command ${uuid}: ${problem}`),
    replicaChanged: (name, problem) =>
      problem === undefined
        ? say('info', `The replica ${name} answers queries`)
        : say('error', `The replica ${name} is skipped: ${problem}`),
    notCollected: (problem) => say('error', `Could not delete expired data from the store: ${problem}`),
  })
}

/**
 * Opens the configured store for queries only. The queries run in separate processes, so that long
 * or frequent queries do not block the caller. `undefined` if no store is configured or the store
 * does not exist yet. Throws STORE_UNAVAILABLE.
 */
export async function openQueryStore(
  settings: StoreSettings,
  warn: (message: string) => void,
): Promise<ReadableStore | undefined> {
  const named = parseStoreSetting(settings)
  if (named.kind === 'none') return undefined
  if (named.kind === 'puppetdb') return openPuppetDbStore(settings, localSystem.files, warn)
  if ((await findMissingFile(named, localSystem.files)) !== undefined) return undefined
  return Store.openToAsk(named)
}
