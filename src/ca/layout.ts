import { join } from 'node:path'

/** Paths of a CA's files; compatible with Puppet Server, so that either can replace the other. */
export interface CaLayout {
  readonly directory: string
  readonly certificate: string
  readonly key: string
  readonly publicKey: string
  readonly revocationList: string
  readonly infraRevocationList: string
  readonly infraInventory: string
  readonly infraSerials: string
  readonly inventory: string
  readonly serial: string
  readonly signed: string
  readonly requests: string
  readonly lock: string
  /** Cache of the certificates in `signed`; Puppet Server does not use this file. */
  readonly index: string
}

/** Returns the paths of a CA's files, named as in Puppet Server. */
export function caLayout(directory: string): CaLayout {
  const at = (name: string) => join(directory, name)
  return {
    directory,
    certificate: at('ca_crt.pem'),
    key: at('ca_key.pem'),
    publicKey: at('ca_pub.pem'),
    revocationList: at('ca_crl.pem'),
    infraRevocationList: at('infra_crl.pem'),
    infraInventory: at('infra_inventory.txt'),
    infraSerials: at('infra_serials'),
    inventory: at('inventory.txt'),
    serial: at('serial'),
    signed: at('signed'),
    requests: at('requests'),
    lock: at('.lock'),
    index: at('.index'),
  }
}
