import { createGlobMeter, type Glob, type Meter } from '../../base/text/glob.ts'
import {
  type ApprovalImpact,
  type ApprovalRule,
  approvalsFile,
  hasCondition,
  hasImpactCondition,
} from '../approvals/approval-rules.ts'
import type { GateFinding } from '../gate/gate.ts'
import type { Impact } from '../impact/impact-result.ts'
import { hasUnlistedResources, listChangedReferences, listRisks } from './risks.ts'

/** The effect of a change on nodes, as far as it is known. */
export interface KnownImpact {
  /** The compared catalogs; undefined if no catalog was compared. */
  readonly impact: Impact | undefined
  /** Number of nodes whose catalogs were not compiled; undefined if the nodes of the environment are not known. */
  readonly untested: number | undefined
}

/** Returns the effect on nodes in a finding. Nodes are untested if the server does not know their requests. */
export function toKnownImpact(finding: GateFinding | undefined): KnownImpact {
  if (!finding || finding.isFirst) return { impact: undefined, untested: undefined }
  const untested = finding.untried.filter(({ reason }) => reason === 'gate_nodes' || reason === 'no_request')
  return { impact: finding.impact, untested: untested.reduce((sum, { nodes }) => sum + nodes.length, 0) }
}

/** A change of an environment's code. */
export interface ReviewedChange extends KnownImpact {
  readonly environment: string
  /** True if the environment serves no commit yet. */
  readonly isNew: boolean
  /** Paths of the changed files. */
  readonly paths: readonly string[]
}

/**
 * Returns the rules that apply to a change: those without a condition, and those with a condition that holds. A
 * condition on nodes also holds if the effect is not known completely. All rules apply to a change of the rules.
 */
export function findMatchingRules(rules: readonly ApprovalRule[], change: ReviewedChange): readonly ApprovalRule[] {
  const meter = createGlobMeter(`the changed files with ${approvalsFile}`)
  const ofEnvironment = rules.filter(({ environments }) =>
    environments === undefined ? !change.isNew : matchesAny(environments, change.environment, meter),
  )
  if (change.paths.includes(approvalsFile)) return ofEnvironment
  return ofEnvironment.filter(
    (rule) =>
      !hasCondition(rule) ||
      change.paths.some((path) => matchesAny(rule.paths, path, meter)) ||
      (hasImpactCondition(rule.impact) && matchesImpact(rule.impact, change)),
  )
}

function matchesImpact(
  { moreThan, classes, resources, risks }: ApprovalImpact,
  { impact, untested }: KnownImpact,
): boolean {
  if (untested === undefined) return true
  const unknown = untested + (impact?.unchecked.length ?? 0) + (impact?.counts.broken ?? 0)
  const nodes = unknown + (impact?.counts.changed ?? 0)
  if (moreThan !== undefined && nodes > moreThan) return true
  if (classes.length + resources.length + risks.length === 0) return false
  // Nothing is known about the new resources of an untested node, or of a node without a new catalog.
  if (unknown > 0) return true
  const changes = (impact?.changed ?? []).map(({ change }) => change)
  if (changes.some((change) => change.classes.some((each) => classes.includes(each)))) return true
  if (resources.length + risks.length > 0 && changes.some(hasUnlistedResources)) return true
  if (impact && listRisks(impact).some(({ kind }) => risks.includes(kind))) return true
  const meter = createGlobMeter(`the changed resources with ${approvalsFile}`)
  return changes.some((change) =>
    listChangedReferences(change).some((reference) => matchesAny(resources, reference, meter)),
  )
}

function matchesAny(globs: readonly Glob[], text: string, meter: Meter): boolean {
  return globs.some((glob) => glob.matches(text, meter))
}
