import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { buildCycleReport, type CycleReport } from '../resources/cycle-report.ts'
import { type Deferrals, noDeferrals } from '../resources/deferred-resolution.ts'
import type { ProviderServices } from '../resources/provider.ts'
import { describeMissingProvider, ProviderChoice } from '../resources/provider-choice.ts'
import { type AppliedCatalog, type CatalogEntry, hasAnyTag } from './applied-catalog.ts'
import { createEntryLog, createVertexLog } from './entry-log.ts'
import type { Evaluation } from './evaluation/evaluation.ts'
import { applyResource } from './evaluation/resource-evaluation.ts'
import { createResourceEvent, EventQueue } from './event-queue.ts'
import { addGeneratedResources, addStaticResources } from './generated-resources.ts'
import { formatCycleAdvice } from './graph-files.ts'
import { formatReportTime, type Log } from './log.ts'
import { Prefetches } from './prefetch.ts'
import { buildRelationshipGraph, type Relationships, Traversal, type Vertex } from './relationship-graph.ts'
import type { StatusBuilder } from './report-builder.ts'
import type { AgentRuby } from './ruby/ruby-run.ts'
import type { RunState } from './state-files.ts'
import { ProviderWorks } from './transaction/provider-work.ts'
import { ResourceStatuses } from './transaction/resource-statuses.ts'
import { type SkipOptions, Skips } from './transaction/skipped-resources.ts'

const issues = defineIssues({
  DEPENDENCY_CYCLES: { text: () => 'One or more resource dependency cycles detected in graph' },
})

/** Options of a transaction. */
export interface TransactionOptions extends SkipOptions {
  readonly noop: boolean
  /** True to log each evaluated resource and its duration. */
  readonly evaltrace: boolean
  /** Writes dependency cycles to a file and returns its path. If undefined, the log suggests `--graph`. */
  readonly saveCycles?: ((paths: CycleReport<Vertex>['paths']) => Promise<string>) | undefined
}

/** The result of a transaction. */
export interface TransactionResult {
  readonly statuses: readonly StatusBuilder[]
  readonly completed: boolean
  readonly generationFailed: boolean
}

/** Applies one catalog: evaluates the resources in order and propagates their events. */
export class Transaction {
  readonly #catalog: AppliedCatalog
  readonly #services: ProviderServices
  readonly #options: TransactionOptions
  readonly #state: RunState
  readonly #log: Log
  readonly #ruby: AgentRuby | undefined
  readonly #statuses: ResourceStatuses
  readonly #works: ProviderWorks
  readonly #skips: Skips
  readonly #notified = new Set<CatalogEntry>()
  readonly #told = new Set<string>()
  /**
   * Types with a resource for which no suitable provider was found, even after all other resources
   * were applied.
   */
  readonly #providerless = new Set<string>()
  readonly #choice: ProviderChoice
  readonly #prefetches: Prefetches
  #deferrals = noDeferrals
  #graph!: Relationships
  #queue!: EventQueue
  #generationFailed = false
  #completed = false

  constructor(
    catalog: AppliedCatalog,
    services: ProviderServices,
    options: TransactionOptions,
    state: RunState,
    log: Log,
    ruby?: AgentRuby,
  ) {
    this.#catalog = catalog
    this.#ruby = ruby
    this.#services = services
    this.#options = options
    this.#state = state
    this.#log = log
    this.#statuses = new ResourceStatuses(services.system.now)
    this.#choice = new ProviderChoice(services)
    this.#prefetches = new Prefetches(services, log)
    this.#works = new ProviderWorks(services, this.#prefetches, log, options.noop)
    this.#skips = new Skips(catalog, options, state, services.system.now)
  }

  /** Results of the resources so far, also after an error. */
  get result(): TransactionResult {
    return {
      statuses: this.#statuses.reported,
      completed: this.#completed,
      generationFailed: this.#generationFailed,
    }
  }

  /** Chooses providers and parses all attributes except deferred ones. Throws a resource's first error. */
  async prepare(deferrals: Deferrals = noDeferrals): Promise<void> {
    this.#deferrals = deferrals
    if (deferrals !== noDeferrals)
      for (const { resource } of this.#catalog.entries()) await resource?.resolve(deferrals)
    await this.#ruby?.declare(this.#catalog)
    for (const entry of this.#catalog.entries()) {
      const { resource } = entry
      if (!resource) continue
      entry.failure ??= await describeMissingProvider(resource)
      resource.provider = entry.failure || resource.type.passive ? undefined : await this.#choice.choose(resource)
      resource.parse()
      this.#tellParsed(entry)
      this.#catalog.registerNames(entry)
    }
  }

  /** Validates the prepared resources against each other and adds relationships. Throws the first error. */
  async relate(): Promise<void> {
    for (const { resource, failure } of this.#catalog.entries())
      if (resource && failure === undefined) resource.type.finish?.(resource, this.#catalog)
    await this.#ruby?.relate()
    this.#graph = buildRelationshipGraph(this.#catalog)
  }

  /** Logs, once, the warnings about a resource's attributes. */
  #tellParsed(entry: CatalogEntry): void {
    const { provider, type, unsupported, warnings } = entry.resource!
    const remarks = unsupported.map(
      (name) =>
        `Provider ${provider?.name} does not support features ${type.attributes[name]?.needs}; not managing attribute ${name}`,
    )
    const isNewMessage = (key: string) => !this.#told.has(key) && this.#told.add(key)
    for (const warning of warnings) if (isNewMessage(warning)) this.#log.warning(warning)
    for (const remark of remarks)
      if (isNewMessage(`${entry.reference} ${remark}`)) this.#createEntryLog(entry).info(remark)
  }

  /** Adds the resources that other resources generate before the catalog is applied. */
  async generate(): Promise<void> {
    const generating = this.#catalog.entries().filter(({ resource }) => resource?.provider?.generate)
    if (generating.length === 0) return
    for (const entry of generating) await this.#generateStatic(entry)
    await this.#ruby?.relate()
    this.#graph = buildRelationshipGraph(this.#catalog)
  }

  async #generateStatic(entry: CatalogEntry): Promise<void> {
    try {
      addStaticResources(this.#catalog, entry, await entry.resource!.provider!.generate!(this.#works.of(entry)))
    } catch (error) {
      this.#generationFailed = true
      this.#createEntryLog(entry).err(`Failed to generate additional resources using 'generate': ${formatError(error)}`)
    }
  }

  /** Evaluates all resources. `stopRequested` is called between resources. */
  async run(stopRequested: () => boolean = () => false): Promise<void> {
    await this.#refuseCycles()
    this.#queue = new EventQueue(this.#graph, this.#refresher())
    const traversal = new Traversal(this.#graph)
    let deferred: Vertex[] = []
    let progress = false
    let visited = 0
    for (let vertex = traversal.next(); vertex; vertex = traversal.next()) {
      if (stopRequested()) {
        if (vertex.role === 'resource') this.#statuses.ofVertex(vertex).skipped = true
        traversal.finish(vertex)
        continue
      }
      if (await this.#canWork(vertex)) {
        progress = true
        const { resource } = vertex.entry
        await this.#settle(vertex)
        if (vertex.role === 'resource' && resource?.provider) await this.#prefetches.begin(resource.provider)
        await this.#generate(vertex, traversal)
        await this.#traced(vertex, ++visited)
        traversal.finish(vertex)
      } else deferred.push(vertex)
      if (!traversal.isEmpty || deferred.length === 0) continue
      for (const each of deferred) {
        if (progress) traversal.enqueue(each)
        else {
          this.#giveUp(each)
          traversal.finish(each)
        }
      }
      deferred = []
      progress = false
    }
    for (const type of this.#providerless) this.#log.err(`Could not find a suitable provider for ${type}`)
    await this.#state.save()
    this.#completed = true
  }

  async #refuseCycles(): Promise<void> {
    const cycles = buildCycleReport(this.#graph, ({ entry }) => entry.reference)
    if (!cycles) return
    const advice = formatCycleAdvice(await this.#options.saveCycles?.(cycles.paths))
    this.#log.err([cycles.heading, ...cycles.ways, advice].join('\n'))
    const message = 'resource is part of a dependency cycle'
    for (const entry of new Set(cycles.nodes.map((vertex) => vertex.entry)))
      this.#statuses
        .of(entry)
        .add(createResourceEvent('resource_error', 'failure', message, formatReportTime(this.#services.system.now())))
    throwIssue(issues.DEPENDENCY_CYCLES, {})
  }

  async #canWork({ role, entry }: Vertex): Promise<boolean> {
    const { resource, failure } = entry
    if (role !== 'resource' || failure !== undefined || !resource || resource.type.passive) return true
    return this.#choice.canWork(resource)
  }

  /**
   * Resolves the deferred values of a resource when it is evaluated. If a value cannot be resolved,
   * the resource fails. Values of skipped resources are not resolved.
   */
  async #settle(vertex: Vertex): Promise<void> {
    const { entry, role } = vertex
    const { resource } = entry
    if (role !== 'resource' || !resource || resource.late.size === 0) return
    if (this.#skips.reason(entry) !== undefined || this.#statuses.failedDependencies(vertex, this.#graph).length > 0)
      return
    try {
      await resource.settle(this.#deferrals)
      this.#tellParsed(entry)
    } catch (error) {
      entry.failure = formatError(error)
    }
  }

  #giveUp(vertex: Vertex): void {
    const { entry } = vertex
    if (!hasAnyTag(entry, this.#options.tags)) return
    const { resource } = entry
    const provider = resource?.provider?.name ?? resource?.given.get('provider')
    if (provider !== undefined) {
      const message = `Provider ${String(provider)} is not functional on this host`
      this.#createEntryLog(entry).err(message)
    } else if (resource) this.#providerless.add(resource.type.name)
    this.#statuses.of(entry).failed = true
  }

  async #generate(vertex: Vertex, traversal: Traversal): Promise<void> {
    const { resource, failure } = vertex.entry
    if (vertex.role !== 'resource' || !resource?.provider?.children || failure !== undefined) return
    try {
      const children = await resource.provider.children(this.#works.of(vertex.entry))
      if (children.length === 0) return
      addGeneratedResources(this.#catalog, this.#graph, vertex, children)
      traversal.graphChanged()
    } catch (error) {
      this.#generationFailed = true
      const message = `Failed to generate additional resources using 'eval_generate': ${formatError(error)}`
      this.#createEntryLog(vertex.entry).err(message)
    }
  }

  /** Evaluates a vertex; with `evaltrace`, logs its beginning and end. */
  async #traced(vertex: Vertex, count: number): Promise<void> {
    if (!this.#options.evaltrace) return this.#visit(vertex)
    const { now } = this.#services.system
    const log = createVertexLog(this.#log, vertex)
    const started = now()
    log.info(`Starting to evaluate the resource (${count} of ${this.#graph.size})`)
    await this.#visit(vertex)
    log.info(`Evaluated in ${((now() - started) / 1000).toFixed(2)} seconds`)
  }

  async #visit(vertex: Vertex): Promise<void> {
    const status = this.#statuses.ofVertex(vertex)
    this.#failUnfetched(vertex)
    status.failedDependencies = this.#statuses.failedDependencies(vertex, this.#graph)
    if (this.#mustSkip(vertex, status)) {
      status.skipped = true
      this.#queue.dropAll(vertex)
      const { reference, resource } = vertex.entry
      this.#state.keepSystemValues(reference, (name) => resource?.hides(name) ?? false)
      return
    }
    if (vertex.role === 'resource') await this.#apply(vertex, status)
    await this.#queue.process(vertex)
  }

  #failUnfetched({ entry: { resource }, entry, role }: Vertex): void {
    if (role !== 'resource' || !resource || !this.#prefetches.hasFailed(resource)) return
    const message = `Prefetch failed for ${resource.type.name} provider '${resource.provider?.name}'`
    const time = formatReportTime(this.#services.system.now())
    this.#statuses.of(entry).add(createResourceEvent('resource_error', 'failure', message, time))
  }

  async #apply(vertex: Vertex, status: StatusBuilder): Promise<void> {
    const { entry } = vertex
    const { resource, failure } = entry
    if (failure !== undefined) {
      this.#createEntryLog(entry).err(`Could not evaluate: ${failure}`)
      status.add(
        createResourceEvent('resource_error', 'failure', failure, formatReportTime(this.#services.system.now())),
      )
      return
    }
    if (!resource?.provider) {
      this.#state.setChecked(entry.reference, this.#services.system.now())
      status.evaluationTime = 0
      return
    }
    await applyResource(this.#evaluation(entry, status))
    if (status.failed) return
    this.#queue.queue(vertex, status.events)
    const needless = resource.provider.invalidatesRefreshes ?? []
    const started = status.events.some(
      ({ property, desired_value }) => property === 'ensure' && needless.includes(String(desired_value)),
    )
    if (started) this.#queue.drop(vertex)
  }

  #evaluation(entry: CatalogEntry, status: StatusBuilder): Evaluation {
    const resource = entry.resource!
    return {
      resource,
      provider: resource.provider!,
      work: this.#works.of(entry),
      status,
      state: this.#state,
      noop: this.#works.isNoop(entry),
      now: this.#services.system.now,
      log: (property) => this.#createEntryLog(entry, property),
    }
  }

  #mustSkip(vertex: Vertex, status: StatusBuilder): boolean {
    const { entry, role } = vertex
    const log = this.#createEntryLog(entry)
    const reason = this.#skips.reason(entry)
    if (reason !== undefined) {
      if (role === 'resource') log.debug(reason)
      return true
    }
    if (status.failedDependencies.length === 0) {
      if (role !== 'resource' || !entry.resource || !this.#prefetches.hasFailed(entry.resource)) return false
      log.warning('Skipping because provider prefetch failed')
      return true
    }
    if (role === 'resource') {
      for (const dependency of status.failedDependencies) {
        if (this.#notified.has(dependency)) continue
        this.#notified.add(dependency)
        log.notice(`Dependency ${dependency.reference} has failures: ${this.#statuses.of(dependency).failed}`)
      }
      log.warning('Skipping because of failed dependencies')
    }
    return true
  }

  #createEntryLog(entry: CatalogEntry, property?: string): Log {
    return createEntryLog(this.#log, entry, property)
  }

  #refresher() {
    return {
      canRefresh: ({ entry }: Vertex) => entry.resource?.provider?.refresh !== undefined,
      refreshesItself: ({ entry: { resource }, role }: Vertex) =>
        role === 'resource' && resource?.type.refreshesItself === true && resource.value('ensure') !== 'absent',
      isNoop: ({ entry, role }: Vertex) => (role === 'resource' ? this.#works.isNoop(entry) : this.#options.noop),
      refresh: ({ entry }: Vertex) => entry.resource!.provider!.refresh!(this.#works.of(entry)),
      logFor: (vertex: Vertex): Log => createVertexLog(this.#log, vertex),
      refreshed: ({ entry }: Vertex, message: string) => {
        this.#statuses
          .of(entry)
          .add(createResourceEvent('refresh', 'success', message, formatReportTime(this.#services.system.now())))
      },
      failed: (vertex: Vertex, message: string, why: string) => {
        for (const line of [message, why]) this.#createEntryLog(vertex.entry).err(line)
        const status = this.#statuses.ofVertex(vertex)
        status.failedToRestart = true
        status.add(
          createResourceEvent('resource_error', 'failure', message, formatReportTime(this.#services.system.now())),
        )
      },
      restarted: (vertex: Vertex) => {
        this.#statuses.ofVertex(vertex).restarted = true
      },
    }
  }
}
