import { expect } from 'vitest'
import { eventually } from '../../support/eventually.js'
import type { Answer, Call, Serving } from '../serving.ts'

/** A run of a simulated node. */
export interface SimulatedRun {
  readonly certname: string
  /** The commit in the catalog; undefined if the server sent none. */
  readonly codeId: string | undefined
  readonly status: number
}

/** How a node's run ends. */
export type RunOutcome = 'unchanged' | 'changed' | 'failed' | 'corrective' | 'silent'

/** Nodes that request catalogs and send reports as agents do, each with its certificate. */
export class SimulatedFleet {
  readonly names: readonly string[]
  readonly #serving: () => Serving
  readonly #credentials = new Map<string, ReturnType<Serving['credentials']>>()
  /** All runs, in their order. */
  readonly runs: SimulatedRun[] = []

  constructor(names: readonly string[], serving: () => Serving) {
    this.names = names
    this.#serving = serving
  }

  /** Runs some nodes; `outcome` decides about the report from the commit in the catalog. */
  async run(
    names: readonly string[] = this.names,
    outcome: (codeId: string | undefined, certname: string) => RunOutcome = () => 'unchanged',
  ): Promise<readonly SimulatedRun[]> {
    const runs = await Promise.all(names.map((certname) => this.#runOne(certname, outcome)))
    this.runs.push(...runs)
    return runs
  }

  /** The nodes that received a commit in any run. */
  receiversOf(commit: string): readonly string[] {
    return [...new Set(this.runs.filter(({ codeId }) => codeId === commit).map(({ certname }) => certname))].sort()
  }

  /** Sends a request with the certificate of a node, which outlives the server. */
  async call(certname: string, method: string, path: string, call: Omit<Call, 'as'> = {}): Promise<Answer> {
    const known = this.#credentials.get(certname) ?? this.#serving().credentials(certname)
    this.#credentials.set(certname, known)
    return this.#serving().call(method, path, { ...call, credentials: await known })
  }

  async #runOne(
    certname: string,
    decide: (codeId: string | undefined, certname: string) => RunOutcome,
  ): Promise<SimulatedRun> {
    const facts = JSON.stringify({ name: certname, values: { kernel: 'Linux', datacenter: certname.slice(-7, -5) } })
    const form = {
      ...{ environment: 'production', facts_format: 'application/json', facts: encodeURIComponent(facts) },
      ...{ static_catalog: 'true', checksum_type: 'sha256' },
    }
    const { status, text } = await this.call(certname, 'POST', `/puppet/v3/catalog/${certname}`, {
      headers: { accept: 'application/vnd.puppet.rich+json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    })
    const codeId = status === 200 ? (JSON.parse(text) as { code_id: string }).code_id : undefined
    const outcome = status === 200 ? decide(codeId, certname) : 'failed'
    if (outcome !== 'silent') await this.#report(certname, { codeId, outcome })
    return { certname, codeId, status }
  }

  async #report(
    certname: string,
    { codeId, outcome }: { codeId: string | undefined; outcome: RunOutcome },
  ): Promise<void> {
    const time = new Date().toISOString()
    const isCorrective = outcome === 'corrective'
    const report = {
      ...{ host: certname, time, configuration_version: 1, report_format: 12, puppet_version: '8.0.0' },
      ...{ status: isCorrective ? 'changed' : outcome, environment: 'production', noop: false, noop_pending: false },
      ...{ corrective_change: isCorrective, metrics: {}, logs: [], resource_statuses: {} },
      ...{ transaction_uuid: crypto.randomUUID(), ...(codeId !== undefined && { code_id: codeId }) },
    }
    const sent = await this.call(certname, 'PUT', `/puppet/v3/report/${certname}?environment=production`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(report),
    })
    expect(sent.status, sent.text).toBe(200)
  }
}

/** Names such as `n007-a1.test`, in two datacenters. */
export function nodeNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `n${String(at).padStart(3, '0')}-${at % 2 === 0 ? 'a1' : 'b2'}.test`)
}

/** The state of production's current rollout, in short. */
export interface ShortState {
  readonly phase: string
  readonly waiting: string | undefined
  /** Number of started waves. */
  readonly started: number
  readonly reason: string | undefined
}

/** Waits until the current rollout of production is in a state. */
export function rolloutWhen(serving: Serving, isReached: (state: ShortState) => boolean): Promise<ShortState> {
  return eventually(async () => {
    const { rollout } = await serving.server.rollouts!.get('production')
    return {
      phase: rollout?.phase ?? 'none',
      waiting: rollout?.waiting,
      started: rollout?.waves.filter((wave) => wave.started !== undefined).length ?? 0,
      reason: rollout?.reason,
    }
  }, isReached)
}
