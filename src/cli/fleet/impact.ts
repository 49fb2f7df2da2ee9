import { join } from 'node:path'
import { toPrintable } from '../../base/text/printable.ts'
import { createRecallOptions } from '../../compiler/recall/recall-settings.ts'
import type { CompileJob } from '../../compiler/workers/compile-job.ts'
import { CompilePool } from '../../compiler/workers/compile-pool.ts'
import { computeImpact } from '../../deploy/impact/impact.ts'
import type { NodeResult } from '../../deploy/impact/impact-request.ts'
import type { Impact } from '../../deploy/impact/impact-result.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import type { ExportTable } from '../../store/exports/memory-exports.ts'
import { createMemoryExports } from '../../store/exports/memory-exports.ts'
import type { Io } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import { version } from '../command/version.ts'
import type { OpenedCode } from '../input/impact-range.ts'
import type { FleetQuerySources } from '../input/query-answers.ts'
import { collectCompileTarget, createFleetJob, type Fleet } from './fleet.ts'

/** Input of an impact run: two versions of the code, and the nodes whose catalogs are compared. */
export interface FleetImpactOrder {
  readonly from: OpenedCode
  readonly to: OpenedCode
  readonly fleet: Fleet
  readonly budgetMs: number | undefined
  readonly progress: { done(node: string): void; clear(): void }
  onNode?(known: NodeResult): void
}

/** Exported resources, and sources of answers to queries of the code. The store is closed at the end. */
export interface FleetSurroundings {
  readonly exports: ExportTable | undefined
  readonly asked: FleetQuerySources
  /** True to make store queries of the code fail. */
  readonly deniesStore?: boolean
  readonly io: Io
}

/** Computes the impact on a fleet in worker threads of this process. */
export async function computeFleetImpact(
  { from, to, fleet, budgetMs, progress, onNode }: FleetImpactOrder,
  { exports, asked, deniesStore = false, io }: FleetSurroundings,
  settings: Settings,
): Promise<Impact> {
  const pool = new CompilePool({
    size: fleet.jobs,
    ...{ timeout: settings.compile_timeout, rubyTimeout: settings.ruby_timeout, maxQueued: 0 },
    exports: exports && createMemoryExports(exports),
    ...asked,
    recall: await createRecallOptions(useSeparateTraces(settings), version, localSystem.files),
  })
  try {
    return await computeImpact({
      ...{ from: from.code, to: to.code, nodes: fleet.nodes, atOnce: pool.status().size, budgetMs },
      async createJob(node, code) {
        const { opened } = code === to.code ? to : from
        return { ...createFleetJob(await collectCompileTarget(node, fleet, settings), opened, settings), deniesStore }
      },
      async compile(job: CompileJob) {
        const catalog = await pool.compile(job)
        // The log contains an error if a catalog reused from a compile trace differs from the newly
        // compiled catalog.
        for (const { level, message } of catalog.logs) if (level === 'err') printMessage('Error', message, io)
        return catalog
      },
      onNode(known) {
        progress.done(toPrintable(known.node))
        onNode?.(known)
      },
    })
  } finally {
    progress.clear()
    await pool.close()
    await asked.store?.close()
  }
}

/**
 * Stores the compile traces of this command separately, because agent requests have trusted facts
 * and their traces differ.
 */
function useSeparateTraces(settings: Settings): Settings {
  return { ...settings, server_datadir: join(settings.server_datadir, 'impact') }
}
