import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import type { GemDependency } from './gem-requirement.ts'
import { meetsAll } from './gem-requirement.ts'
import { gemIssues as issues } from './issues.ts'

/** A version of a gem that can be chosen. */
export interface GemCandidate {
  readonly name: string
  readonly version: string
  readonly dependencies: readonly GemDependency[]
}

/** Returns the candidates of a name, in order of preference. */
export type FindCandidates<Candidate> = (name: string) => Promise<readonly Candidate[]>

/** A dependency with the gem that has it. */
interface Needed extends GemDependency {
  readonly requester: string
}

/**
 * Chooses one version for each gem so that all dependencies of `root` are met, and returns them with `root` in the order of
 * installation: each gem comes after its dependencies. Throws GEM_UNRESOLVED, GEM_TOO_COMPLEX.
 */
export async function resolveDependencies<Candidate extends GemCandidate>(
  root: Candidate,
  find: FindCandidates<Candidate>,
): Promise<readonly Candidate[]> {
  let steps = 0
  let conflict: Needed | undefined
  const solve = async (
    needed: readonly Needed[],
    chosen: ReadonlyMap<string, Candidate>,
  ): Promise<ReadonlyMap<string, Candidate> | undefined> => {
    let at = 0
    while (at < needed.length && chosen.has(needed[at]!.name)) {
      const { name, requirements } = needed[at]!
      if (!meetsAll(requirements, chosen.get(name)!.version)) {
        conflict ??= needed[at]
        return undefined
      }
      at++
    }
    const next = needed[at]
    if (next === undefined) return chosen
    const rest = needed.slice(at)
    const bounds = rest.filter(({ name }) => name === next.name).flatMap(({ requirements }) => requirements)
    for (const candidate of await find(next.name)) {
      if (!meetsAll(bounds, candidate.version)) continue
      if (++steps > budgets.gem.steps.bound)
        throwIssue(issues.GEM_TOO_COMPLEX, { name: root.name, steps: budgets.gem.steps.bound })
      const found = await solve([...rest, ...listNeeds(candidate)], new Map([...chosen, [next.name, candidate]]))
      if (found) return found
    }
    conflict ??= next
    return undefined
  }
  const found = await solve(listNeeds(root), new Map([[root.name, root]]))
  if (!found) {
    const { requester, name, requirements } = conflict!
    throwIssue(issues.GEM_UNRESOLVED, { requester, name, requirement: requirements.join(', ') })
  }
  return sortForInstallation(root, found!)
}

function listNeeds({ name, version, dependencies }: GemCandidate): readonly Needed[] {
  return dependencies.map((each) => ({ ...each, requester: `${name} (= ${version})` }))
}

/** Lists dependencies before the gems that have them; a cycle is cut where it is first reached. */
function sortForInstallation<Candidate extends GemCandidate>(
  root: Candidate,
  chosen: ReadonlyMap<string, Candidate>,
): readonly Candidate[] {
  const sorted = new Set<Candidate>()
  const reached = new Set<Candidate>()
  const visit = (candidate: Candidate) => {
    if (reached.has(candidate)) return
    reached.add(candidate)
    for (const { name } of candidate.dependencies) visit(chosen.get(name)!)
    sorted.add(candidate)
  }
  visit(root)
  return [...sorted]
}
