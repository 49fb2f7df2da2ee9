import {
  type ExactJson,
  type ExactObject,
  entriesOf,
  exactObject,
  isExactObject,
  memberOf,
} from '../../../base/json/exact-json.ts'
import type { Facts } from '../../../model/facts.ts'

/** Data that is sent with facts, but is not part of them. */
export interface FactsSending {
  readonly environment: string
  readonly producer: string
  readonly producerTimestamp: string
  /** Trusted facts, as in `$trusted`. */
  readonly trusted: ExactObject
}

/** Name of the fact that lists the packages of a node. */
const inventoryFact = '_puppet_inventory_1'

/**
 * The payload of `replace facts` 5, as puppet-terminus-puppetdb sends it:
 * indirector/facts/puppetdb.rb.
 */
export function factsPayload({ name, values }: Pick<Facts, 'name' | 'values'>, sending: FactsSending): ExactObject {
  const inventory = memberOf(values, inventoryFact) ?? null
  const kept = new Map<string, ExactJson>()
  for (const [key, value] of entriesOf(values))
    if (value !== undefined && key !== inventoryFact && key !== 'trusted') kept.set(key, value)
  return {
    certname: name,
    values: exactObject([...kept, ['trusted', sending.trusted]]),
    environment: sending.environment,
    producer_timestamp: sending.producerTimestamp,
    producer: sending.producer,
    ...(inventory !== null && inventory !== false && { package_inventory: packagesOf(inventory) }),
  }
}

function packagesOf(inventory: ExactJson): ExactJson {
  return isExactObject(inventory) ? (memberOf(inventory, 'packages') ?? null) : null
}
