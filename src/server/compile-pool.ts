import { availableParallelism } from 'node:os'
import type { Environments } from '../code/environments/environments.ts'
import { createRecallOptions } from '../compiler/recall/recall-settings.ts'
import { CompilePool } from '../compiler/workers/compile-pool.ts'
import { countDefaultThreads, type FinishedJob } from '../compiler/workers/pool-options.ts'
import type { Settings } from '../machine/settings/settings.ts'
import type { System } from '../machine/system/system.ts'
import { OutsideRequests } from '../network/outside/outside-requests.ts'
import type { ExportStore } from '../store/exports/export-store.ts'
import type { NodeStore } from '../store/node-store.ts'

/** Dependencies of the compile threads. */
export interface PoolParts {
  readonly settings: Settings
  readonly system: Pick<System, 'files'>
  /** The version of Plumbline. */
  readonly version: string
  readonly environments: Environments
  readonly exports: ExportStore | undefined
  readonly store: NodeStore | undefined
  /** Folder with cached responses of external services; undefined if they are not cached. */
  readonly answers: string | undefined
  /** Called for each finished job. */
  ended(job: FinishedJob): void
}

/** Creates the pool of compile threads from the settings. */
export async function openCompilePool({
  settings,
  system,
  version,
  environments,
  ...parts
}: PoolParts): Promise<CompilePool> {
  return new CompilePool({
    size: settings.compile_workers || countDefaultThreads(availableParallelism()),
    timeout: settings.compile_timeout,
    rubyTimeout: settings.ruby_timeout,
    maxQueued: settings.max_queued_requests,
    slow: { afterMs: settings.compile_slow_after * 1000, threads: settings.compile_slow_workers },
    background: countAheadThreads(settings),
    blobs: () => environments.bridge(),
    outside: new OutsideRequests(settings),
    recall: await createRecallOptions(settings, version, system.files),
    ...parts,
  })
}

/** Number of threads that compile ahead; 0 if compile traces are not stored. */
export function countAheadThreads(settings: Pick<Settings, 'catalog_traces' | 'compile_ahead_workers'>): number {
  return settings.catalog_traces ? settings.compile_ahead_workers : 0
}
