import type { FactValues } from './fact.ts'

// Facter: custom_facts/util/loader.rb
const named = /^facter_?(\w+)$/i

/** Facts that variables of the environment give, `FACTER_ROLE=web` the fact `role`: always text. */
export function factsFromEnvironment(variables: Readonly<Record<string, string | undefined>>): FactValues {
  const entries = Object.entries(variables).flatMap(([variable, value]) => {
    const name = named.exec(variable)?.[1]
    return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value] as const]
  })
  return Object.fromEntries(entries)
}
