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
export function getCaLayout(directory: string): CaLayout {
  const toPath = (name: string) => join(directory, name)
  return {
    directory,
    certificate: toPath('ca_crt.pem'),
    key: toPath('ca_key.pem'),
    publicKey: toPath('ca_pub.pem'),
    revocationList: toPath('ca_crl.pem'),
    infraRevocationList: toPath('infra_crl.pem'),
    infraInventory: toPath('infra_inventory.txt'),
    infraSerials: toPath('infra_serials'),
    inventory: toPath('inventory.txt'),
    serial: toPath('serial'),
    signed: toPath('signed'),
    requests: toPath('requests'),
    lock: toPath('.lock'),
    index: toPath('.index'),
  }
}
