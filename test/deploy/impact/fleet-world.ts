import { buildCompileRequest, emptyClassification } from '../../../src/cli/input/compile-options.ts'
import { type OpenedEnvironment, openCommit } from '../../../src/code/environments/environment-opener.ts'
import { CompilePool } from '../../../src/compiler/workers/compile-pool.ts'
import { computeImpact } from '../../../src/deploy/impact/impact.ts'
import type { ImpactCode, ImpactOrder } from '../../../src/deploy/impact/impact-request.ts'
import type { Impact } from '../../../src/deploy/impact/impact-result.ts'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { createMemoryExports, ExportTable } from '../../../src/store/exports/memory-exports.ts'
import { type ControlRepository, controlRepository, type Files } from '../../support/control-repository.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** Nodes with their facts. */
export type Nodes = Readonly<Record<string, Readonly<Record<string, string>>>>

const name = 'production'

/** A repository, nodes, and threads that keep traces: a server's view of a fleet. */
export class FleetWorld {
  readonly repository: ControlRepository
  readonly settings = loadSettings({ given: {}, runMode: 'server' })
  readonly traces = scratchFolder('impact-traces')
  readonly exports = new ExportTable()
  readonly pool: CompilePool
  readonly nodes: Nodes
  #branches = 0

  constructor(files: Files, nodes: Nodes) {
    this.repository = controlRepository(files)
    this.nodes = nodes
    this.pool = new CompilePool({
      size: 2,
      timeout: 60,
      maxQueued: 0,
      exports: createMemoryExports(this.exports),
      recall: { folder: this.traces, checkEvery: 0, key: new Uint8Array(32), version: 'test' },
    })
  }

  /** The impact of edits on `production`, on a branch of their own. */
  async impact(edits: Files, options: Partial<ImpactOrder> = {}): Promise<Impact> {
    return this.between('production', this.branch(edits), options)
  }

  /** A commit on `production` that no environment serves. */
  branch(edits: Files): string {
    this.repository.git('checkout', '--quiet', 'production')
    return this.repository.push(edits, `edits${++this.#branches}`)
  }

  async between(from: string, to: string, options: Partial<ImpactOrder> = {}): Promise<Impact> {
    const { code: old } = await this.code(from, true)
    const { code } = await this.code(to, false)
    return computeImpact({ ...this.order(), from: old, to: code, ...options })
  }

  /** Compiles as an agent's request does; how that went. */
  async agent(node: string, ref = 'production'): Promise<'compiled' | 'recalled' | 'unknown'> {
    const { code } = await this.code(ref, true)
    const catalog = await this.pool.compile(await this.createJob(node, code))
    this.exports.replace(node, catalog.exports)
    return catalog.origin
  }

  order(): Pick<ImpactOrder, 'nodes' | 'compile' | 'createJob' | 'atOnce'> {
    return {
      nodes: Object.keys(this.nodes),
      compile: (job) => this.pool.compile(job),
      createJob: (node, code) => this.createJob(node, code),
      atOnce: 2,
    }
  }

  async code(
    ref: string,
    isServed: boolean,
  ): Promise<{ readonly code: ImpactCode; readonly opened: OpenedEnvironment }> {
    const opened = await openCommit({ repository: this.repository.bare, ref, name }, this.settings)
    const { tree } = opened.environment
    const file = async (path: string, most: number) => {
      const bytes = tree.read(path)
      return bytes && { size: bytes.length, bytes: bytes.length > most ? undefined : bytes }
    }
    return { code: { snapshot: opened.snapshot, label: tree.codeId ?? '', isServed, file }, opened }
  }

  async createJob(node: string, { snapshot }: ImpactCode) {
    const environment = { name, tree: { codeId: 'some' } } as OpenedEnvironment['environment']
    const target = { node, facts: this.nodes[node], classified: emptyClassification }
    const { askStore: _, askOutside: __, ...request } = buildCompileRequest(target, environment, this.settings)
    return { ...request, environment: snapshot, format: 'rich' as const }
  }

  close(): Promise<void> {
    return this.pool.close()
  }
}
