import { expect } from 'vitest'
import { eventually } from '../../support/eventually.js'
import { catalogForm } from '../../support/node-client.ts'
import type { Answer, Call, Serving } from '../serving.ts'

/** A run of a simulated node. */
export interface SimulatedRun {
  readonly certname: string
  /** The commit in the catalog; undefined if the server sent none. */
  readonly codeId: string | undefined
  readonly status: number
}

/** How a node's run ends; `silent` sends no report. */
export type RunOutcome = 'unchanged' | 'changed' | 'failed' | 'corrective' | 'silent'

/** Decides how a run ends, from the commit in its catalog. */
export type DecideOutcome = (codeId: string | undefined, certname: string) => RunOutcome

/** Sends a request with the certificate of a node. */
export type NodeCall = (
  certname: string,
  request: { readonly method: string; readonly path: string; readonly body: string; readonly type: string },
) => Promise<{ readonly status: number; readonly text: string }>

/** Nodes that request catalogs and send reports as agents do, each with its certificate. */
export class SimulatedFleet {
  readonly names: readonly string[]
  readonly #call: NodeCall
  /** All runs, in their order. */
  readonly runs: SimulatedRun[] = []

  constructor(names: readonly string[], call: NodeCall) {
    this.names = names
    this.#call = call
  }

  /** Runs some nodes, all of them at the same time. */
  async run(names = this.names, decide: DecideOutcome = () => 'unchanged'): Promise<readonly SimulatedRun[]> {
    const runs = await Promise.all(names.map((certname) => this.#runOne(certname, decide)))
    this.runs.push(...runs)
    return runs
  }

  /** The nodes that received a commit in any run. */
  receiversOf(commit: string): readonly string[] {
    return [...new Set(this.runs.filter(({ codeId }) => codeId === commit).map(({ certname }) => certname))].sort()
  }

  async #runOne(certname: string, decide: DecideOutcome): Promise<SimulatedRun> {
    const path = `/puppet/v3/catalog/${certname}`
    const body = catalogForm(certname, { kernel: 'Linux', datacenter: certname.slice(-7, -5) })
    const { status, text } = await this.#call(certname, {
      ...{ method: 'POST', path, body, type: 'application/x-www-form-urlencoded' },
    })
    const codeId = status === 200 ? (JSON.parse(text) as { code_id: string }).code_id : undefined
    const outcome = status === 200 ? decide(codeId, certname) : 'failed'
    if (outcome !== 'silent') await this.#report(certname, codeId, outcome)
    return { certname, codeId, status }
  }

  async #report(certname: string, codeId: string | undefined, outcome: RunOutcome): Promise<void> {
    const isCorrective = outcome === 'corrective'
    const report = {
      ...{ host: certname, time: new Date().toISOString(), configuration_version: 1, report_format: 12 },
      ...{ status: isCorrective ? 'changed' : outcome, environment: 'production', noop: false, noop_pending: false },
      ...{ corrective_change: isCorrective, metrics: {}, logs: [], resource_statuses: {}, puppet_version: '8.0.0' },
      ...{ transaction_uuid: crypto.randomUUID(), ...(codeId !== undefined && { code_id: codeId }) },
    }
    const path = `/puppet/v3/report/${certname}?environment=production`
    const body = JSON.stringify(report)
    const { status, text } = await this.#call(certname, { method: 'PUT', path, body, type: 'application/json' })
    expect(status, text).toBe(200)
  }
}

/** Certificates of nodes that outlive the server of a test. */
export class NodeCertificates {
  readonly #serving: () => Serving
  readonly #known = new Map<string, ReturnType<Serving['credentials']>>()

  constructor(serving: () => Serving) {
    this.#serving = serving
  }

  /** Sends a request with the certificate of a node. */
  async call(certname: string, method: string, path: string, call: Omit<Call, 'as'> = {}): Promise<Answer> {
    const known = this.#known.get(certname) ?? this.#serving().credentials(certname)
    this.#known.set(certname, known)
    return this.#serving().call(method, path, { ...call, credentials: await known })
  }

  /** Requests of a fleet to the server of the test. */
  readonly nodeCall: NodeCall = (certname, { method, path, body, type }) =>
    this.call(certname, method, path, {
      headers: { accept: 'application/vnd.puppet.rich+json', 'content-type': type },
      body,
    })
}

/** Names such as `n007-b2.test`, in two datacenters. */
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
