import type { PageSources } from '../page.ts'
import { queryRows } from '../questions/store-query.ts'

/** A line of a report's log, with the fields that the search needs. */
export interface ErrorLine {
  readonly level: string
  readonly message: string
  readonly time: string
}

const levels = ['err', 'alert', 'crit', 'emerg']
/** Maximum number of lines to search in a log. */
const maxLines = 1000
/** Cache lifetime of a report's first error in milliseconds. It is long, since a report never changes. */
const rememberedMs = 30 * 60_000

/** The first error of a log: the reason of a run that failed before any resource. */
export function findFirstError<Line extends ErrorLine>(logs: readonly Line[]): Line | undefined {
  const errors = logs.filter(({ level }) => levels.includes(level))
  return errors.reduce<Line | undefined>(
    (first, line) => (first && Date.parse(first.time) <= Date.parse(line.time) ? first : line),
    undefined,
  )
}

/** The first error of a report's log in the store; `undefined` if it logged none. */
export async function readFirstError({ store, remembered }: PageSources, hash: string): Promise<string | undefined> {
  const { message } = await remembered(`first error ${hash}`, rememberedMs, async () => {
    const { rows } = await queryRows<ErrorLine>(store, { of: ['reports', hash, 'logs'], limit: maxLines })
    return { message: findFirstError(rows)?.message }
  })
  return message
}
