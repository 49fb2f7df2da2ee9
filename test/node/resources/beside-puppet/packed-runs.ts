import { firstAccounts } from './accounts.ts'
import type { ApplyCase } from './apply-case.ts'
import type { Run } from './run.ts'

/** A run in the short form that is recorded and compared. */
export interface PackedRun {
  readonly status: number | null
  readonly out: readonly string[]
  readonly err: readonly string[]
  /** By reference: flags, then each event. */
  readonly resources: Readonly<Record<string, readonly string[]>>
  /** By reference: provider and tags. Undefined if they are those of the run before. */
  readonly about?: Readonly<Record<string, string>>
  /** By path: type, mode, owner, group and content of a file that differs from the run before; null if it is gone. */
  readonly tree: Readonly<Record<string, string | null>>
}

/** The parts of runs that a case compares. */
export function packedRuns(runs: readonly Run[], { withoutTags, unlike, ownEtc }: ApplyCase): readonly PackedRun[] {
  let aboutBefore = '{}'
  let treeBefore: Readonly<Record<string, string>> = {}
  const cut = (lines: readonly string[]) =>
    unlike === undefined ? lines : lines.map((line) => line.replace(unlike, ''))
  return runs.map(({ status, out, err, resources, tree }) => {
    const statuses = Object.entries(resources).map(([reference, each]) => [reference, each as Status] as const)
    const about = Object.fromEntries(statuses.map(([name, each]) => [name, aboutOf(each, withoutTags === undefined)]))
    const files = Object.fromEntries(Object.entries(tree).map(([path, parts]) => [path, fileOf(path, parts, ownEtc)]))
    const packed = {
      status,
      out: cut(out),
      err: cut(err),
      resources: Object.fromEntries(statuses.map(([name, each]) => [name, eventsOf(each)])),
      ...(JSON.stringify(about) === aboutBefore ? {} : { about }),
      tree: changes(treeBefore, files),
    }
    aboutBefore = JSON.stringify(about)
    treeBefore = files
    return packed
  })
}

interface Status {
  readonly failed: boolean
  readonly skipped: boolean
  readonly changed: boolean
  readonly out_of_sync: boolean
  readonly provider_used: string | null
  readonly tags: readonly string[]
  readonly events: readonly Readonly<Record<string, unknown>>[]
}

const eventParts = ['property', 'name', 'status', 'previous_value', 'desired_value', 'message'] as const

function eventsOf({ failed, skipped, changed, out_of_sync, events }: Status): readonly string[] {
  const flags = Object.entries({ failed, skipped, changed, out_of_sync }).filter(([, is]) => is !== false)
  const names = flags.map(([name, is]) => (is ? name : `${name}: ${String(is)}`))
  const lines = events.map((event) => {
    const values = eventParts.map((part) => JSON.stringify(event[part] ?? null))
    return `${values.join(' ')}${event['corrective_change'] === true ? ' corrective' : ''}`
  })
  return [names.join(' '), ...lines]
}

function aboutOf({ provider_used, tags }: Status, hasTags: boolean): string {
  return `${String(provider_used)}${hasTags ? `: ${tags.join(' ')}` : ''}`
}

function fileOf(path: string, parts: unknown, ownEtc: boolean | undefined): string {
  const [type, mode, owner, group, content] = parts as readonly unknown[]
  const before = ownEtc ? firstAccounts[path] : undefined
  const text = before === undefined ? String(content) : changedLines(before, String(content))
  return [type, mode, owner, group, text].join(' ')
}

/** Lines that one of two texts has, without the day of a change in /etc/shadow. */
function changedLines(before: string, after: string): string {
  const [old, now] = [before, after.replace(/^([^:\n]*:[^:\n]*:)2\d{4}:/gm, '$1TODAY:')].map((text) => text.split('\n'))
  const gone = old!.filter((line) => !now!.includes(line)).map((line) => `-${line}`)
  const added = now!.filter((line) => !old!.includes(line)).map((line) => `+${line}`)
  return [...gone, ...added].join('\n')
}

function changes(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): Readonly<Record<string, string | null>> {
  const gone = Object.keys(before).filter((path) => !(path in after))
  const changed = Object.entries(after).filter(([path, file]) => before[path] !== file)
  return Object.fromEntries([...gone.map((path) => [path, null]), ...changed])
}
