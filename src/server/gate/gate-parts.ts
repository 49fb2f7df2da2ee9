import type { ApprovalGate } from '../../deploy/review/approval-gate.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { NodeStore } from '../../store/node-store.ts'
import { countAheadThreads } from '../compile-pool.ts'
import type { Services } from '../services/services.ts'

/** Dependencies of the gate. */
export interface GateParts {
  readonly settings: Settings
  readonly services: Pick<Services, 'askings' | 'environments' | 'jobInCode' | 'pool'>
  readonly store: Pick<NodeStore, 'ask'> | undefined
  /** The git directory; undefined if the code is in folders. */
  readonly repository: string | undefined
  /**
   * Resolves when the nodes' stored catalog requests are read. A push tested earlier would be
   * compiled for only some of the nodes.
   */
  readonly ready: Promise<void>
  /** Approvals of commits of code sources; undefined without code sources. */
  readonly approvals?: Pick<ApprovalGate, 'findMissing'> | undefined
}

/** True if nodes have sent requests, and there are threads that compile ahead. */
export function canRunGate({ settings, services: { askings } }: GateParts): boolean {
  return countAheadThreads(settings) > 0 && !askings.isEmpty
}
