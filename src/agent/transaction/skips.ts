import type { ScheduleResource } from '../../resources/types/schedule.ts'
import { type AppliedCatalog, type Entry, isTagged } from '../applied-catalog.ts'
import { isScheduled } from '../schedules.ts'
import type { RunState } from '../state-files.ts'

/** The choice of resources of a run. */
export interface SkipOptions {
  /** Only resources with one of these. */
  readonly tags: readonly string[]
  readonly skipTags: readonly string[]
  readonly ignoreSchedules: boolean
}

/** The resources that have no turn in a run, by their tags and schedules. */
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

  /** The reason why a resource has no turn; `undefined` where it has one. */
  reason(entry: Entry): string | undefined {
    const { skipTags, tags } = this.#options
    if (skipTags.some((tag) => entry.tags.has(tag))) return `Skipping with skip tags ${skipTags.join(', ')}`
    if (!isTagged(entry, tags)) return `Not tagged with ${tags.join(', ')}`
    return this.#isScheduled(entry) ? undefined : 'Not scheduled'
  }

  #isScheduled({ resource, reference }: Entry): boolean {
    const name = resource?.meta('schedule')
    if (name === undefined || this.#options.ignoreSchedules) return true
    const schedule = this.#catalog.find('schedule', name) as ScheduleResource | undefined
    if (!schedule) return resource!.fail(`Could not find schedule ${name}`)
    return isScheduled(schedule, this.#state.checked(reference), new Date(this.#now()))
  }
}
