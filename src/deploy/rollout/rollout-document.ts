import type { RolloutPlan } from './rollout-plan.ts'
import type { Rollout } from './rollout-state.ts'
import type { KnownFailures } from './wave-health.ts'

/** The plan and the nodes of a rollout. A document is never changed; a later one has the next revision. */
export interface RolloutMembers {
  readonly plan: RolloutPlan
  /** Certnames of each wave, sorted; empty while the rollout is being prepared. */
  readonly waves: readonly (readonly string[])[]
  /** Nodes whose catalog does not change; they receive the commit at once. */
  readonly unaffected: readonly string[]
  /** Nodes whose catalog compiles with the stable commit only. */
  readonly broken: readonly string[]
  /** Nodes that failed before the rollout. Their failures do not count. */
  readonly failing: readonly string[]
  /** Nodes that received the commit of a superseded rollout, by this commit. They keep it until their wave starts. */
  readonly previous: Readonly<Record<string, readonly string[]>>
  /** Resources that the push changes according to the impact, for groups of nodes; undefined without an impact. */
  readonly predicted: readonly PredictedChange[] | undefined
}

/** Resources that change on a group of nodes, as references such as `File[/etc/motd]`. */
export interface PredictedChange {
  readonly nodes: readonly string[]
  readonly resources: readonly string[]
}

/** Name of a document in the store. */
export function formatDocumentName(
  environment: string,
  { number, document }: Pick<Rollout, 'number' | 'document'>,
): string {
  return `${environment}#${number}.${document}`
}

/** Finds the group of a node in constant time. */
export class MemberIndex {
  readonly members: RolloutMembers
  readonly failures: KnownFailures
  readonly #waves = new Map<string, number>()
  readonly #unaffected: ReadonlySet<string>
  readonly #previous = new Map<string, string>()

  constructor(members: RolloutMembers) {
    this.members = members
    this.failures = { broken: new Set(members.broken), failing: new Set(members.failing) }
    for (const [wave, nodes] of members.waves.entries()) for (const node of nodes) this.#waves.set(node, wave)
    this.#unaffected = new Set(members.unaffected)
    for (const [commit, nodes] of Object.entries(members.previous))
      for (const node of nodes) this.#previous.set(node, commit)
  }

  /** Index of the node's wave; undefined for an unaffected or unknown node. */
  waveOf(certname: string): number | undefined {
    return this.#waves.get(certname)
  }

  isUnaffected(certname: string): boolean {
    return this.#unaffected.has(certname)
  }

  /** Commit of a superseded rollout that the node received; undefined for the stable commit. */
  previousOf(certname: string): string | undefined {
    return this.#previous.get(certname)
  }
}
