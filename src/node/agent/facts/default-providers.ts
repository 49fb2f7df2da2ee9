import type { System } from '../../../machine/system/system.ts'
import type { FactValues } from '../../facts/fact.ts'
import { findDefaultProvider } from '../inspect-resources.ts'

/** Types whose default provider is also a fact, for stdlib's `service_provider` and `package_provider`. */
const asked = ['service', 'package']

/** Names of default providers by type, for use in facts. */
export async function listDefaultProviders(
  system: System,
  facts: FactValues,
): Promise<Readonly<Record<string, string>>> {
  const found = await Promise.all(
    asked.map(async (type) => [type, await findDefaultProvider(type, system, facts)] as const),
  )
  return Object.fromEntries(found.filter((each): each is [string, string] => each[1] !== undefined))
}
