import { type RiskKind, riskKinds } from '../approvals/approval-rules.ts'
import type { Impact } from '../impact/impact-result.ts'
import type { NodeChange } from '../impact/node-change.ts'
import { countUnlistedChanges } from '../impact/write/impact-parts.ts'

/** A risk of a change: the resources with their nodes. */
export interface Risk {
  readonly kind: RiskKind
  /** References of resources, those on most nodes first; with the parameter for a secret. */
  readonly resources: readonly string[]
  /** Number of nodes with one of the resources. */
  readonly nodes: number
}

/** Returns the risks of an impact, in the order of `riskKinds`. */
export function listRisks({ changed }: Pick<Impact, 'changed'>): readonly Risk[] {
  return riskKinds.flatMap((kind) => {
    const counts = new Map<string, number>()
    let nodes = 0
    for (const group of changed) {
      const resources = finders[kind](group.change)
      if (resources.length > 0) nodes += group.nodes.length
      for (const each of new Set(resources)) counts.set(each, (counts.get(each) ?? 0) + group.nodes.length)
    }
    const resources = [...counts].sort(([, one], [, other]) => other - one).map(([each]) => each)
    return nodes > 0 ? [{ kind, resources, nodes }] : []
  })
}

/** Returns true if a change lists fewer resources than it has, so that its risks are not known completely. */
export function hasUnlistedResources(change: NodeChange): boolean {
  return countUnlistedChanges(change) > 0
}

/** Returns the references of the added, removed and changed resources of a change. */
export function listChangedReferences({ added, removed, changed }: NodeChange): readonly string[] {
  return [...removed, ...added.map(({ resource }) => resource), ...changed.map(({ resource }) => resource)]
}

const finders: Readonly<Record<RiskKind, (change: NodeChange) => readonly string[]>> = {
  restarts: ({ restarts }) => restarts,
  services: (change) => listOfType(change, 'Service'),
  packages: (change) => listOfType(change, 'Package'),
  secrets: ({ changed }) =>
    changed.flatMap(({ resource, parameters }) =>
      parameters.flatMap(({ name, secret }) => (secret === true ? [`${resource} ${name}`] : [])),
    ),
}

function listOfType(change: NodeChange, type: string): readonly string[] {
  return listChangedReferences(change).filter((each) => each.startsWith(`${type}[`))
}
