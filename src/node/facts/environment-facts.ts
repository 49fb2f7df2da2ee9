import { inspectText } from '../../language/ruby-semantics/text/inspect.ts'
import type { FactValues } from './fact.ts'
import type { FactLog } from './log.ts'

// Facter: custom_facts/util/loader.rb
const named = /^facter_?(\w+)$/i

/**
 * Facts from environment variables, always text: `FACTER_ROLE=web` sets the fact `role`. A value
 * that is not UTF-8 is rejected with an error.
 */
export function readEnvironmentFacts(
  variables: Readonly<Record<string, string | undefined>>,
  log: FactLog,
): FactValues {
  const entries = Object.entries(variables).flatMap(([variable, value]) => {
    const name = named.exec(variable)?.[1]?.toLowerCase()
    if (name === undefined || value === undefined) return []
    if (value.isWellFormed()) return [[name, value] as const]
    const resolution = `fact='${name}', resolution='<anonymous>'`
    const why = `String ${inspectText(value)} doesn't match the reported encoding UTF-8`
    log('error', `Fact resolution ${resolution} resolved to an invalid value: ${why}`)
    return []
  })
  return Object.fromEntries(entries)
}
