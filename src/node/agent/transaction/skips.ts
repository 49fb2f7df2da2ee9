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
  /** True of a run on a device, not on this machine. */
  readonly isForDevice: boolean
}

const onDevice = 'Skipping host resources because running on a device'
const onHost = 'Skipping device resources because running on a posix host'

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
    if (!this.#isScheduled(entry)) return 'Not scheduled'
    const { appliesTo = 'host' } = entry.resource?.type ?? {}
    if (this.#options.isForDevice) return appliesTo === 'host' ? onDevice : undefined
    return appliesTo === 'device' ? onHost : undefined
  }

  #isScheduled({ resource, reference }: Entry): boolean {
    const name = resource?.meta('schedule')
    if (name === undefined || this.#options.ignoreSchedules) return true
    const schedule = this.#catalog.find('schedule', name) as ScheduleResource | undefined
    if (!schedule) return resource!.fail(`Could not find schedule ${name}`)
    return isScheduled(schedule, this.#state.checked(reference), new Date(this.#now()))
  }
}
