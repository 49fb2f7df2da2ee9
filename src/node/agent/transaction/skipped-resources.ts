import type { ScheduleResource } from '../../resources/types/schedule.ts'
import { type AppliedCatalog, type CatalogEntry, hasAnyTag } from '../applied-catalog.ts'
import { isScheduled } from '../schedules.ts'
import type { RunState } from '../state-files.ts'

/** Options that select the resources of a run. */
export interface SkipOptions {
  /** If not empty, only resources with one of these tags are applied. */
  readonly tags: readonly string[]
  readonly skipTags: readonly string[]
  readonly ignoreSchedules: boolean
  /** True if the run configures a device instead of this machine. */
  readonly isForDevice: boolean
}

const onDevice = 'Skipping host resources because running on a device'
const onHost = 'Skipping device resources because running on a posix host'

/** Decides which resources to skip, by tags and schedules. */
export class Skips {
  readonly #catalog: AppliedCatalog
  readonly #options: SkipOptions
  readonly #state: RunState
  readonly #now: () => number

  constructor(catalog: AppliedCatalog, options: SkipOptions, state: RunState, now: () => number) {
    this.#catalog = catalog
    this.#options = options
    this.#state = state
    this.#now = now
  }

  /** The reason to skip a resource; undefined if it is not skipped. */
  reason(entry: CatalogEntry): string | undefined {
    const { skipTags, tags } = this.#options
    if (skipTags.some((tag) => entry.tags.has(tag))) return `Skipping with skip tags ${skipTags.join(', ')}`
    if (!hasAnyTag(entry, tags)) return `Not tagged with ${tags.join(', ')}`
    if (!this.#isScheduled(entry)) return 'Not scheduled'
    const { appliesTo = 'host' } = entry.resource?.type ?? {}
    if (this.#options.isForDevice) return appliesTo === 'host' ? onDevice : undefined
    return appliesTo === 'device' ? onHost : undefined
  }

  #isScheduled({ resource, reference }: CatalogEntry): boolean {
    const name = resource?.meta('schedule')
    if (name === undefined || this.#options.ignoreSchedules) return true
    const schedule = this.#catalog.find('schedule', name) as ScheduleResource | undefined
    if (!schedule) return resource!.fail(`Could not find schedule ${name}`)
    return isScheduled(schedule, this.#state.checked(reference), new Date(this.#now()))
  }
}
