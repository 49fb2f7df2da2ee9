import { defineIssues, fail } from '../base/issue.ts'
import type { Value } from '../language/values/value.ts'
import { cycleReport } from '../resources/cycle-report.ts'
import type { AnyResource } from '../resources/managed-resource.ts'
import { mustRun, type Services, type Work } from '../resources/provider.ts'
import { missingProvider, ProviderChoice } from '../resources/provider-choice.ts'
import type { ScheduleResource } from '../resources/types/schedule.ts'
import { errorText } from '../ruby-semantics/errno.ts'
import type { AppliedCatalog, Entry } from './applied-catalog.ts'
import { type Evaluation, evaluate } from './evaluate.ts'
import { EventQueue, plainEvent } from './event-queue.ts'
import { addChildren, addStatic } from './generated.ts'
import { isoTime, type Log } from './log.ts'
import { Prefetches } from './prefetch.ts'
import { type Relationships, relationshipGraph, Traversal, type Vertex } from './relationship-graph.ts'
import { StatusBuilder } from './report-builder.ts'
import { ResourceLogs } from './resource-logs.ts'
import type { RubyOfRun } from './ruby/ruby-run.ts'
import { isScheduled } from './schedules.ts'
import type { RunState } from './state-files.ts'

const issues = defineIssues({
  DEPENDENCY_CYCLES: { text: () => 'One or more resource dependency cycles detected in graph' },
})

/** Options of a transaction. */
export interface TransactionOptions {
  readonly noop: boolean
  /** Only resources with one of these. */
  readonly tags: readonly string[]
  readonly skipTags: readonly string[]
  readonly ignoreSchedules: boolean
  /** True for log lines about each evaluated resource and its duration. */
  readonly evaltrace: boolean
}

/** The result of a transaction. */
export interface TransactionResult {
  readonly statuses: readonly StatusBuilder[]
  readonly completed: boolean
  readonly generationFailed: boolean
}

/** Applies one catalog: each resource in its turn, with events between them. */
export class Transaction {
  readonly #catalog: AppliedCatalog
  readonly #services: Services
  readonly #options: TransactionOptions
  readonly #state: RunState
  readonly #log: Log
  readonly #logs: ResourceLogs
  readonly #ruby: RubyOfRun | undefined
  readonly #statuses = new Map<Entry, StatusBuilder>()
  /** Statuses of containers, whose failures pass through but are not reported. */
  readonly #containerStatuses = new Map<Vertex, StatusBuilder>()
  // biome-ignore lint/suspicious/noExplicitAny: each provider has a state of its own
  readonly #works = new Map<AnyResource, Work<any, any>>()
  readonly #notified = new Set<Entry>()
  /** Providers that were found to work; one that does not may come to work when a package is installed. */
  readonly #providerless = new Set<string>()
  readonly #choice: ProviderChoice
  readonly #prefetches: Prefetches
  #graph!: Relationships
  #queue!: EventQueue
  #generationFailed = false
  #completed = false

  constructor(
    catalog: AppliedCatalog,
    services: Services,
    options: TransactionOptions,
    state: RunState,
    log: Log,
    ruby?: RubyOfRun,
  ) {
    this.#catalog = catalog
    this.#ruby = ruby
    this.#services = services
    this.#options = options
    this.#state = state
    this.#log = log
    this.#logs = new ResourceLogs(log)
    this.#choice = new ProviderChoice(services)
    this.#prefetches = new Prefetches(services, log)
  }

  /** Results of the resources so far; also after an error. */
  get result(): TransactionResult {
    return {
      statuses: [...this.#statuses.values()],
      completed: this.#completed,
      generationFailed: this.#generationFailed,
    }
  }

  /** Chooses providers and parses all attributes; throws what is wrong with the catalog. */
  async prepare(resolve: (value: Value) => Value): Promise<void> {
    const warned = new Set<string>()
    await this.#ruby?.declare(this.#catalog, ({ given }) => resolved(given, resolve))
    for (const entry of this.#catalog.entries()) {
      const { resource } = entry
      if (!resource) continue
      entry.failure ??= missingProvider(resource)
      resource.provider = entry.failure || resource.type.passive ? undefined : await this.#choice.choose(resource)
      resource.parse(resolve)
      for (const warning of resource.warnings) if (!warned.has(warning)) this.#log.warning(warning)
      for (const warning of resource.warnings) warned.add(warning)
      for (const name of resource.unsupported)
        this.#logs
          .of(entry)
          .info(
            `Provider ${resource.provider?.name} does not support features ${resource.type.attributes[name]?.needs}; not managing attribute ${name}`,
          )
      this.#catalog.registerNames(entry)
    }
    await this.#ruby?.relate()
    this.#graph = relationshipGraph(this.#catalog)
  }

  /** Takes in the resources that others generate before anything is applied. */
  async generate(): Promise<void> {
    const generating = this.#catalog.entries().filter(({ resource }) => resource?.provider?.generate)
    if (generating.length === 0) return
    for (const entry of generating) await this.#generateStatic(entry)
    this.#graph = relationshipGraph(this.#catalog)
  }

  async #generateStatic(entry: Entry): Promise<void> {
    try {
      addStatic(this.#catalog, entry, await entry.resource!.provider!.generate!(this.#workOf(entry)))
    } catch (error) {
      this.#generationFailed = true
      this.#logs.of(entry).err(`Failed to generate additional resources using 'generate': ${errorText(error)}`)
    }
  }

  /** Does it all. `stopRequested` is asked between resources. */
  async run(stopRequested: () => boolean = () => false): Promise<void> {
    this.#refuseCycles()
    this.#queue = new EventQueue(this.#graph, this.#refresher())
    const traversal = new Traversal(this.#graph)
    let deferred: Vertex[] = []
    let progress = false
    for (let vertex = traversal.next(); vertex; vertex = traversal.next()) {
      if (stopRequested()) {
        if (vertex.role === 'resource') this.#statusOf(vertex).skipped = true
        traversal.finish(vertex)
        continue
      }
      if (await this.#canWork(vertex)) {
        progress = true
        const { resource } = vertex.entry
        if (vertex.role === 'resource' && resource?.provider) await this.#prefetches.begin(resource.provider)
        await this.#generate(vertex, traversal)
        await this.#visit(vertex)
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

  #refuseCycles(): void {
    const cycles = cycleReport(this.#graph, ({ entry }) => entry.reference)
    if (!cycles) return
    this.#log.err([cycles.heading, ...cycles.ways].join('\n'))
    const message = 'resource is part of a dependency cycle'
    for (const entry of new Set(cycles.nodes.map((vertex) => vertex.entry)))
      this.#status(entry).add(plainEvent('resource_error', 'failure', message, isoTime(this.#services.system.now())))
    fail(issues.DEPENDENCY_CYCLES, {})
  }

  async #canWork({ role, entry }: Vertex): Promise<boolean> {
    const { resource, failure } = entry
    if (role !== 'resource' || failure !== undefined || !resource || resource.type.passive) return true
    return this.#choice.canWork(resource)
  }

  #giveUp(vertex: Vertex): void {
    const { entry } = vertex
    if (this.#missingTags(entry)) return
    const { resource } = entry
    const provider = resource?.provider?.name ?? resource?.given.get('provider')
    if (provider !== undefined) {
      const message = `Provider ${String(provider)} is not functional on this host`
      this.#logs.of(entry).err(message)
    } else if (resource) this.#providerless.add(resource.type.name)
    this.#status(entry).failed = true
  }

  async #generate(vertex: Vertex, traversal: Traversal): Promise<void> {
    const { resource } = vertex.entry
    if (vertex.role !== 'resource' || !resource?.provider?.children) return
    try {
      const children = await resource.provider.children(this.#workOf(vertex.entry))
      if (children.length === 0) return
      addChildren(this.#catalog, this.#graph, vertex, children)
      traversal.graphChanged()
    } catch (error) {
      this.#generationFailed = true
      const message = `Failed to generate additional resources using 'eval_generate': ${errorText(error)}`
      this.#logs.of(vertex.entry).err(message)
    }
  }

  async #visit(vertex: Vertex): Promise<void> {
    const status = this.#statusOf(vertex)
    this.#failUnfetched(vertex)
    status.failedDependencies = this.#failedDependencies(vertex)
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
    const time = isoTime(this.#services.system.now())
    this.#status(entry).add(plainEvent('resource_error', 'failure', message, time))
  }

  async #apply(vertex: Vertex, status: StatusBuilder): Promise<void> {
    const { entry } = vertex
    const { resource, failure } = entry
    if (failure !== undefined) {
      this.#logs.of(entry).err(`Could not evaluate: ${failure}`)
      status.add(plainEvent('resource_error', 'failure', failure, isoTime(this.#services.system.now())))
      return
    }
    if (!resource?.provider) {
      this.#state.setChecked(entry.reference, this.#services.system.now())
      status.evaluationTime = 0
      return
    }
    const log = this.#logs.of(entry)
    if (this.#options.evaltrace) log.info('Starting to evaluate the resource')
    await evaluate(this.#evaluation(entry, status))
    if (this.#options.evaltrace) log.info(`Evaluated in ${(status.evaluationTime ?? 0).toFixed(2)} seconds`)
    if (status.failed) return
    this.#queue.queue(vertex, status.events)
    const needless = resource.provider.invalidatesRefreshes ?? []
    const started = status.events.some(
      ({ property, desired_value }) => property === 'ensure' && needless.includes(String(desired_value)),
    )
    if (started) this.#queue.drop(vertex)
  }

  #evaluation(entry: Entry, status: StatusBuilder): Evaluation {
    const resource = entry.resource!
    return {
      resource,
      provider: resource.provider!,
      work: this.#workOf(entry),
      status,
      state: this.#state,
      noop: this.#isNoop(entry),
      now: this.#services.system.now,
      log: (property) => this.#logs.of(entry, property),
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: each provider has a state of its own
  #workOf(entry: Entry): Work<any, any> {
    const resource = entry.resource!
    const known = this.#works.get(resource)
    if (known) return known
    const { system } = this.#services
    const work: Work = {
      ...this.#services,
      resource,
      state: this.#prefetches.stateOf(resource),
      noop: this.#isNoop(entry),
      log: (level, message, property) => this.#logs.of(entry, property)[level](message),
      logAs: (source, level, message) => this.#log[level](resource.withoutSecrets(message), { source }),
      run: (...command) => mustRun(system, resource, command),
      runWith: (options, ...command) => mustRun(system, resource, command, options),
    }
    this.#works.set(resource, work)
    return work
  }

  #isNoop({ resource }: Entry): boolean {
    return resource?.meta('noop') ?? this.#options.noop
  }

  #status(entry: Entry): StatusBuilder {
    const known = this.#statuses.get(entry)
    if (known) return known
    const status = new StatusBuilder(entry, this.#services.system.now())
    this.#statuses.set(entry, status)
    return status
  }

  #statusOf(vertex: Vertex): StatusBuilder {
    if (vertex.role === 'resource') return this.#status(vertex.entry)
    const known = this.#containerStatuses.get(vertex) ?? new StatusBuilder(vertex.entry, this.#services.system.now())
    this.#containerStatuses.set(vertex, known)
    return known
  }

  #failedDependencies(vertex: Vertex): readonly Entry[] {
    const failed = new Set<Entry>()
    for (const before of this.#graph.predecessors(vertex)) {
      const status = this.#statusOf(before)
      for (const entry of status.failedDependencies) failed.add(entry)
      if (status.failed || status.failedToRestart) failed.add(before.entry)
    }
    return [...failed]
  }

  #mustSkip(vertex: Vertex, status: StatusBuilder): boolean {
    const { entry, role } = vertex
    const debug = (message: string) => {
      if (role === 'resource') this.#logs.of(entry).debug(message)
      return true
    }
    const { skipTags, tags } = this.#options
    if (skipTags.some((tag) => entry.tags.has(tag))) return debug(`Skipping with skip tags ${skipTags.join(', ')}`)
    if (this.#missingTags(entry)) return debug(`Not tagged with ${tags.join(', ')}`)
    if (!this.#isScheduled(entry)) return debug('Not scheduled')
    if (status.failedDependencies.length === 0) {
      if (role !== 'resource' || !entry.resource || !this.#prefetches.hasFailed(entry.resource)) return false
      this.#logs.of(entry).warning('Skipping because provider prefetch failed')
      return true
    }
    if (role === 'resource') {
      const log = this.#logs.of(entry)
      for (const dependency of status.failedDependencies) {
        if (this.#notified.has(dependency)) continue
        this.#notified.add(dependency)
        log.notice(`Dependency ${dependency.reference} has failures: ${this.#status(dependency).failed}`)
      }
      log.warning('Skipping because of failed dependencies')
    }
    return true
  }

  #missingTags({ tags }: Entry): boolean {
    const wanted = this.#options.tags
    return wanted.length > 0 && !wanted.some((tag) => tags.has(tag))
  }

  #isScheduled({ resource, reference }: Entry): boolean {
    const name = resource?.meta('schedule')
    if (name === undefined || this.#options.ignoreSchedules) return true
    const schedule = this.#catalog.find('schedule', name) as ScheduleResource | undefined
    if (!schedule) return resource!.fail(`Could not find schedule ${name}`)
    return isScheduled(schedule, this.#state.checked(reference), new Date(this.#services.system.now()))
  }

  #refresher() {
    return {
      canRefresh: ({ entry }: Vertex) => entry.resource?.provider?.refresh !== undefined,
      refreshesItself: ({ entry: { resource }, role }: Vertex) =>
        role === 'resource' && resource?.type.refreshesItself === true && resource.value('ensure') !== 'absent',
      isNoop: ({ entry, role }: Vertex) => (role === 'resource' ? this.#isNoop(entry) : this.#options.noop),
      refresh: async ({ entry }: Vertex) => {
        await entry.resource!.provider!.refresh!(this.#workOf(entry))
      },
      logFor: (vertex: Vertex): Log =>
        vertex.role === 'resource' ? this.#logs.of(vertex.entry) : this.#logs.ofEnd(vertex),
      refreshed: ({ entry }: Vertex, message: string) => {
        this.#status(entry).add(plainEvent('refresh', 'success', message, isoTime(this.#services.system.now())))
      },
      failed: (vertex: Vertex, message: string, why: string) => {
        for (const line of [message, why]) this.#logs.of(vertex.entry).err(line)
        const status = this.#statusOf(vertex)
        status.failedToRestart = true
        status.add(plainEvent('resource_error', 'failure', message, isoTime(this.#services.system.now())))
      },
      restarted: (vertex: Vertex) => {
        this.#statusOf(vertex).restarted = true
      },
    }
  }
}

function resolved(given: ReadonlyMap<string, Value>, resolve: (value: Value) => Value): ReadonlyMap<string, Value> {
  return new Map([...given].map(([name, value]) => [name, resolve(value)]))
}
