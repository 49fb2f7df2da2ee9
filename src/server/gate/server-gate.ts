import { realpath } from 'node:fs/promises'
import type { Json } from '../../base/json/json-checks.ts'
import { Slots } from '../../base/threads/slots.ts'
import { nameAfterBranch } from '../../code/environments/environment-name.ts'
import { branches } from '../../code/environments/git/branch-choice.ts'
import { resolveQuarantine } from '../../code/git/quarantine.ts'
import { openRepository } from '../../code/git/repository-opener.ts'
import type { ControlRequests, GateRequest } from '../../deploy/control/control-socket.ts'
import { type GateFinding, testPush } from '../../deploy/gate/gate.ts'
import { getGateMode } from '../../deploy/gate/gate-modes.ts'
import { toGateReply } from '../../deploy/gate/gate-reply.ts'
import { type GateNode, selectNodes } from '../../deploy/gate/node-selection.ts'
import { computeImpact } from '../../deploy/impact/impact.ts'
import type { ImpactCode } from '../../deploy/impact/impact-request.ts'
import { createNullOid, type PushedRef } from '../../deploy/push-check.ts'
import { toKnownImpact } from '../../deploy/review/approval-match.ts'
import { openDeployments } from '../../deploy/synthesis/open-deployments.ts'
import { createCommitOpener, type GateCode } from './gate-code.ts'
import { canRunGate, type GateParts } from './gate-parts.ts'
import { parseHookRequest } from './hook-request.ts'
import { createImpactCompiler } from './impact-compiler.ts'
import type { MoveTrials } from './moved-branches.ts'
import { readNodeList } from './node-list.ts'

/** Interval between progress lines, in milliseconds. */
const progressMs = 10_000

/** Maximum number of pushes being tried or waiting. For any further push, the hook itself compiles the catalogs. */
const mostWaiting = 8

/** The gate of the server. */
export interface ServerGate {
  /** Handles a hook's request to test a push. */
  readonly asked: NonNullable<ControlRequests['gate']>
  /** Tests a branch that moved without the hooks. */
  readonly tryMove: MoveTrials['tryMove']
  /** Computes the effect of a commit on the nodes of an environment, without a decision; undefined if no node is known. */
  readonly review: (commits: ReviewedCommits, signal: AbortSignal) => Promise<GateFinding | undefined>
}

/** A commit, and the commit of an environment with which it is compared. */
export interface ReviewedCommits {
  readonly environment: string
  readonly old: string
  readonly new: string
}

/** Tests pushes one at a time, on threads with a lower priority than agents' requests. */
export function createGate(parts: GateParts): ServerGate {
  const turn = new Slots({ atOnce: 1 })
  /** Tests commits of the repository, also if the gate is off: reviews and approvals need the effect on nodes. */
  const testCommits = async (pushed: readonly PushedRef[], gone: AbortSignal) => {
    const { repository, settings } = parts
    if (repository === undefined || !canRunGate(parts)) return undefined
    const gate = settings.gate.map((rule) => (rule.mode === 'off' ? { ...rule, mode: 'warn' as const } : rule))
    const listening = { ...parts, settings: { ...settings, gate } }
    const asked = { repository, pushed, quarantine: null }
    return turn.run(() => runGate(asked, listening, { tell: () => {}, gone }))
  }
  return {
    async asked(given, tell, gone) {
      const asked = parseHookRequest(given)
      await parts.ready
      if (!(await isOwnPush(asked, parts)) || turn.size >= mostWaiting) return null
      return turn.run(async () =>
        gone.aborted ? null : (toGateReply(await runGate(asked, parts, { tell, gone })) as unknown as Json),
      )
    },
    async tryMove(move, gone) {
      const { ref, old, new: after, environment } = move
      const pushed = [{ ref, before: old ?? createNullOid(after), after }]
      const findings = await testCommits(pushed, gone)
      const { settings, approvals } = parts
      const isOff = getGateMode(environment, settings) === 'off'
      const unapproved = await approvals?.findMissing(move, toKnownImpact(findings?.[0]))
      return { reply: findings && !isOff ? toGateReply(findings) : undefined, unapproved }
    },
    async review({ environment, old, new: after }, gone) {
      const findings = await testCommits([{ ref: `${branches}${environment}`, before: old, after }], gone)
      return findings?.[0]
    },
  }
}

/** True if the push is to this server's repository and nodes have sent requests. */
async function isOwnPush({ repository }: GateRequest, parts: GateParts): Promise<boolean> {
  const { repository: own } = parts
  if (own === undefined || !canRunGate(parts)) return false
  const [one, other] = await Promise.all([repository, own].map((path) => realpath(path).catch(() => undefined)))
  return one !== undefined && one === other
}

interface Listener {
  tell(line: string): void
  readonly gone: AbortSignal
}

async function runGate(
  asked: GateRequest,
  parts: GateParts,
  { tell, gone }: Listener,
): Promise<readonly GateFinding[]> {
  const { settings, services, store } = parts
  const { askings } = services
  const repository = parts.repository!
  const quarantine = asked.quarantine === null ? false : await resolveQuarantine(repository, asked.quarantine)
  const source = await openRepository(repository, { quarantine, spoolFolder: settings.vardir })
  const { deployments, close } = openDeployments(source, settings, { quarantine })
  try {
    const open = createCommitOpener(source, services.environments, { settings, deployed: deployments.deployed })
    const opened = new Map<ImpactCode, GateCode>()
    let said = performance.now()
    let known: Promise<readonly GateNode[]> | undefined
    return await testPush({
      // Branches of the server's own repository are environments, even if sources are fetched into it.
      ...{ pushed: asked.pushed, settings, source, naming: nameAfterBranch },
      async listNodes(environment) {
        known ??= readNodeList({ askings, store, now: Date.now(), ttl: settings.node_ttl * 1000 })
        return selectNodes(await known, { environment, needsRequest: true })
      },
      async open(point) {
        const found = await open(point)
        opened.set(found.code, found)
        return found.code
      },
      impact: ({ environment, ...order }) =>
        computeImpact({ ...order, ...createImpactCompiler({ opened, environment }, parts, gone) }),
      progress(environment, done, of) {
        if (performance.now() - said < progressMs) return
        said = performance.now()
        tell(`${environment}: ${done} of ${of} nodes`)
      },
    })
  } finally {
    await close()
    await source.close()
  }
}
