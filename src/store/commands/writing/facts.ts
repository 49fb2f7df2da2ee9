import {
  createExactObject,
  type ExactJson,
  type ExactObject,
  getEntries,
  getMember,
  isExactObject,
} from '../../../base/json/exact-json.ts'
import type { Facts } from '../../../model/facts.ts'

/** Data that is sent with facts, but is not part of them. */
export interface FactsEnvelope {
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
export function buildFactsPayload(
  { name, values }: Pick<Facts, 'name' | 'values'>,
  sending: FactsEnvelope,
): ExactObject {
  const inventory = getMember(values, inventoryFact) ?? null
  const kept = new Map<string, ExactJson>()
  for (const [key, value] of getEntries(values))
    if (value !== undefined && key !== inventoryFact && key !== 'trusted') kept.set(key, value)
  return {
    certname: name,
    values: createExactObject([...kept, ['trusted', sending.trusted]]),
    environment: sending.environment,
    producer_timestamp: sending.producerTimestamp,
    producer: sending.producer,
    ...(inventory !== null && inventory !== false && { package_inventory: getPackages(inventory) }),
  }
}

function getPackages(inventory: ExactJson): ExactJson {
  return isExactObject(inventory) ? (getMember(inventory, 'packages') ?? null) : null
}
