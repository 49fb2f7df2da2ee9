import type { ExactJson } from '../../../base/json/exact-json.ts'
import { formatExactJson } from '../../../base/json/json-text.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import { type Facts, factsToWire } from '../../../model/facts.ts'
import type { FactValues } from '../../facts/fact.ts'
import type { Log } from '../log.ts'

/** Soft limits for facts; 0 disables a limit. */
export type FactLimits = Pick<
  Settings,
  | 'fact_name_length_soft_limit'
  | 'fact_value_length_soft_limit'
  | 'top_level_facts_soft_limit'
  | 'number_of_facts_soft_limit'
  | 'payload_soft_limit'
>

/** Warns about facts above the soft limits for count, name length and size. Puppet 8: configurer.rb. */
export function warnAboutLargeFacts(facts: Facts, limits: FactLimits, log: Log): void {
  const topLevel = Object.keys(facts.values).length
  if (exceedsLimit(topLevel, limits.top_level_facts_soft_limit)) {
    const message = `The current number of top level facts: ${topLevel} exceeds the top facts limit: ${limits.top_level_facts_soft_limit}`
    log.warning(message)
  }
  const total = warnAboutValues(facts.values, limits, log)
  if (exceedsLimit(total, limits.number_of_facts_soft_limit)) {
    const message = `The current total number of fact values: ${total} exceeds the fact values limit: ${limits.number_of_facts_soft_limit}`
    log.warning(message)
  }
  log.debug(`The total number of facts registered is ${total}`)
  if (limits.payload_soft_limit === 0) return
  const payload = computeEncodedLength(formatExactJson(factsToWire(facts)))
  if (exceedsLimit(payload, limits.payload_soft_limit)) {
    const message = `Payload with the current size of: ${payload} exceeds the payload size limit: ${limits.payload_soft_limit}`
    log.warning(message)
  }
  log.debug(`The size of the payload is ${payload}`)
}

/** Warns about long names and values. Returns the number of values. */
function warnAboutValues(values: FactValues, limits: FactLimits, log: Log): number {
  const { fact_name_length_soft_limit: maxName, fact_value_length_soft_limit: maxValue } = limits
  let total = 0
  const visit = (path: readonly string[], value: ExactJson | undefined): void => {
    const entries = listEntries(value)
    if (entries) {
      for (const [key, each] of entries) visit([...path, key], each)
      return
    }
    total += 1
    const name = path.join('.')
    // The approximate size of the name in a PostgreSQL index.
    const length = 8 + path.length * 2 + Buffer.byteLength(path.join(''))
    if (exceedsLimit(length, maxName))
      log.warning(`Fact ${name} with length: ${length} exceeds the fact name length limit: ${maxName}`)
    const text = String(value ?? '')
    const size = Buffer.byteLength(text)
    if (exceedsLimit(size, maxValue)) {
      const message = `Fact ${name} with value ${text} with the value length: ${size} exceeds the value length limit: ${maxValue}`
      log.warning(message)
    }
  }
  visit([], values)
  return total
}

function exceedsLimit(size: number, limit: number): boolean {
  return limit > 0 && size > limit
}

/** Entries of a hash or a list, by key or index; undefined for a scalar. */
function listEntries(value: ExactJson | undefined): Iterable<readonly [string, ExactJson | undefined]> | undefined {
  if (value === null || typeof value !== 'object' || value instanceof Number) return undefined
  return value instanceof Map ? value : Object.entries(value as Record<string, ExactJson>)
}

/** Length in bytes after form encoding. A byte other than a letter, a digit or `_.-~` becomes three bytes. */
function computeEncodedLength(text: string): number {
  const plain = text.match(/[A-Za-z0-9_.~-]/g)?.length ?? 0
  return plain + (Buffer.byteLength(text) - plain) * 3
}
