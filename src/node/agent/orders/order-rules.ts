import type { Settings } from '../../../machine/settings/settings.ts'
import type { System } from '../../../machine/system/system.ts'
import { checkOrder, readOrder } from '../../../model/orders/order-signature.ts'
import { readTrust } from '../catalog/signature-check.ts'
import type { OrderRules } from './ordered-runs.ts'

/** Creates the rules of this host for orders. Orders issued before `notBefore` are rejected. */
export function createOrderRules(
  settings: Settings,
  system: Pick<System, 'files' | 'now'>,
  notBefore: number,
): OrderRules {
  const { certname: node, catalog_signature: wanted } = settings
  return {
    read: (message) =>
      readOrder(message, { now: new Date(system.now()), wanted, trust: () => readTrust(settings, system) }),
    check: (order) => checkOrder(order, { node, now: system.now(), notBefore }),
  }
}
