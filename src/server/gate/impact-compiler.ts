import type { CompileJob } from '../../compiler/workers/compile-job.ts'
import type { ImpactCode, ImpactOrder } from '../../deploy/impact/impact-request.ts'
import { countAheadThreads } from '../compile-pool.ts'
import type { GateCode } from './gate-code.ts'
import type { GateParts } from './gate-parts.ts'

/**
 * Functions that compile for an impact analysis, on background threads and with the parameters of the nodes' own
 * requests.
 */
export function createImpactCompiler(
  { opened, environment: own }: { readonly opened: ReadonlyMap<ImpactCode, GateCode>; readonly environment: string },
  { settings, services: { askings, jobInCode, pool } }: GateParts,
  signal: AbortSignal,
): Pick<ImpactOrder, 'atOnce' | 'compile' | 'createJob' | 'signal'> {
  const threads = countAheadThreads(settings)
  return {
    signal,
    atOnce: Math.max(1, threads),
    async createJob(node, code) {
      const { environment, extensions, static: isStatic, checksumTypes } = askings.of(node, own)!
      const request = {
        ...{ key: node, node, environment, facts: await askings.getFacts(node) },
        ...{ trusted: { authenticated: 'remote' as const, extensions }, static: isStatic, checksumTypes },
        ...{ checkEnvironment: false, rich: true },
      }
      const job = await jobInCode(request, opened.get(code)!.job)
      if (!job) throw new Error(`No facts are stored for ${node}`)
      return { ...job, deniesStore: !settings.gate_store_queries }
    },
    compile: (job: CompileJob) => pool.compile(job, { background: threads > 0, signal, endsWork: true }),
  }
}
