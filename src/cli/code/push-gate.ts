import type { BranchNaming } from '../../code/environments/environment-name.ts'
import type { DeployedCommit } from '../../code/environments/git/branch-deployer.ts'
import { commitOpener } from '../../code/environments/open-environment.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import type { PushedRef } from '../../deploy/check.ts'
import { type GateFinding, tryPush } from '../../deploy/gate/gate.ts'
import type { ImpactCode } from '../../deploy/impact/order.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Io } from '../command/command.ts'
import { fleetOf } from '../fleet/fleet.ts'
import { fleetImpact } from '../fleet/impact.ts'
import { lineProgress } from '../fleet/line-progress.ts'
import { codeOf, type OpenedCode } from '../input/impact-codes.ts'
import { knownExports } from '../input/known-exports.ts'
import { askedByMany } from '../input/known-inputs.ts'
import { nodesByEnvironment } from '../input/known-nodes.ts'

/** Tests a push in worker threads of this process, if no server is running. */
export async function tryPushHere(
  source: GitObjectSource,
  pushed: readonly PushedRef[],
  settings: Settings,
  { io, naming, deployed }: { readonly io: Io; readonly naming: BranchNaming; readonly deployed: DeployedCommit },
): Promise<readonly GateFinding[]> {
  const open = commitOpener(source, settings, deployed)
  const opened = new Map<ImpactCode, OpenedCode>()
  return tryPush({
    ...{ pushed, settings, source, naming },
    nodesOf: nodesByEnvironment(settings),
    async open({ commit, ref, environment, isServed }) {
      const found = await open({ commit, ref, name: environment })
      const code = codeOf(found, commit, isServed)
      opened.set(code, { code, opened: found })
      return code
    },
    async impact({ from, to, nodes, budgetMs, onNode }) {
      const own: Settings = { ...settings, environment: to.snapshot.name }
      const order = { from: opened.get(from!)!, to: opened.get(to)!, fleet: fleetOf(nodes, {}), budgetMs }
      const progress = lineProgress(to.snapshot.name, nodes.length, io)
      const asked = await askedByMany({}, own, io)
      return fleetImpact(
        { ...order, progress, ...(onNode && { onNode }) },
        {
          ...{ exports: await knownExports({ options: {} }, own), asked, io },
          deniesStore: !settings.gate_store_queries,
        },
        own,
      )
    },
  })
}
