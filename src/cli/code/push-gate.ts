import type { BranchNaming } from '../../code/environments/environment-name.ts'
import { createRevisionOpener } from '../../code/environments/environment-opener.ts'
import type { ResolveDeployedCommit } from '../../code/environments/git/branch-deployer.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { type GateFinding, testPush } from '../../deploy/gate/gate.ts'
import type { ImpactCode } from '../../deploy/impact/impact-request.ts'
import type { PushedRef } from '../../deploy/push-check.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Io } from '../command/command.ts'
import { createFleet } from '../fleet/fleet.ts'
import { computeFleetImpact } from '../fleet/impact.ts'
import { createLineProgress } from '../fleet/line-progress.ts'
import { createEnvironmentNodesReader } from '../input/environment-nodes.ts'
import { readExportedResources } from '../input/exported-resources.ts'
import { type OpenedCode, toImpactCode } from '../input/impact-range.ts'
import { openFleetQuerySources } from '../input/query-answers.ts'

/** Tests a push in worker threads of this process, if no server is running. */
export async function testPushInProcess(
  source: GitObjectSource,
  pushed: readonly PushedRef[],
  settings: Settings,
  {
    io,
    naming,
    deployed,
  }: { readonly io: Io; readonly naming: BranchNaming; readonly deployed: ResolveDeployedCommit },
): Promise<readonly GateFinding[]> {
  const open = createRevisionOpener(source, settings, deployed)
  const opened = new Map<ImpactCode, OpenedCode>()
  return testPush({
    ...{ pushed, settings, source, naming },
    listNodes: createEnvironmentNodesReader(settings),
    async open({ commit, ref, environment, isServed }) {
      const found = await open({ commit, ref, name: environment })
      const code = toImpactCode(found, commit, isServed)
      opened.set(code, { code, opened: found })
      return code
    },
    async impact({ from, to, nodes, budgetMs, onNode }) {
      const own: Settings = { ...settings, environment: to.snapshot.name }
      const order = { from: opened.get(from!)!, to: opened.get(to)!, fleet: createFleet(nodes, {}), budgetMs }
      const progress = createLineProgress(to.snapshot.name, nodes.length, io)
      const asked = await openFleetQuerySources({}, own, io)
      return computeFleetImpact(
        { ...order, progress, ...(onNode && { onNode }) },
        {
          ...{ exports: await readExportedResources({ options: {} }, own), asked, io },
          deniesStore: !settings.gate_store_queries,
        },
        own,
      )
    },
  })
}
