/** Standard object identifiers in certificates. */
export const oids = {
  commonName: '2.5.4.3',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  crlNumber: '2.5.29.20',
  reasonCode: '2.5.29.21',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  netscapeComment: '2.16.840.1.113730.1.13',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  ocspSigning: '1.3.6.1.5.5.7.3.9',
  ocspBasic: '1.3.6.1.5.5.7.48.1.1',
  ocspNonce: '1.3.6.1.5.5.7.48.1.2',
  ocspNoCheck: '1.3.6.1.5.5.7.48.1.5',
  challengePassword: '1.2.840.113549.1.9.7',
  extensionRequest: '1.2.840.113549.1.9.14',
  microsoftExtensionRequest: '1.3.6.1.4.1.311.2.1.14',
} as const

/** Puppet's object identifier arcs: registered names, private names, and names for authorization. */
export const puppetArcs = {
  registered: '1.3.6.1.4.1.34380.1.1',
  private: '1.3.6.1.4.1.34380.1.2',
  authorization: '1.3.6.1.4.1.34380.1.3',
} as const

/**
 * Extended key usage of keys that sign catalogs. It is below Puppet's authorization arc, with a
 * number that Puppet does not use. Requests cannot ask for an extended key usage, so no node
 * certificate contains it.
 */
export const catalogSigning = `${puppetArcs.authorization}.4096`

const registered = [
  'pp_uuid',
  'pp_instance_id',
  'pp_image_name',
  'pp_preshared_key',
  'pp_cost_center',
  'pp_product',
  'pp_project',
  'pp_application',
  'pp_service',
  'pp_employee',
  'pp_created_by',
  'pp_environment',
  'pp_role',
  'pp_software_version',
  'pp_department',
  'pp_cluster',
  'pp_provisioner',
  'pp_region',
  'pp_datacenter',
  'pp_zone',
  'pp_network',
  'pp_securitypolicy',
  'pp_cloudplatform',
  'pp_apptier',
  'pp_hostname',
  'pp_owner',
]

/** Short names of Puppet's extensions, as in `csr_attributes.yaml`, `$trusted` and auth.conf. */
export const puppetOids: ReadonlyMap<string, string> = new Map([
  ...registered.map((name, index): [string, string] => [name, `${puppetArcs.registered}.${index + 1}`]),
  ['pp_authorization', `${puppetArcs.authorization}.1`],
  ['pp_auth_auto_renew', `${puppetArcs.authorization}.2`],
  ['pp_auth_role', `${puppetArcs.authorization}.13`],
  ['pp_cli_auth', `${puppetArcs.authorization}.39`],
])

const puppetNames = new Map([...puppetOids].map(([name, oid]) => [oid, name]))

/** Returns the short name of a Puppet extension; other object identifiers are returned unchanged. */
export function getPuppetShortName(oid: string): string {
  return puppetNames.get(oid) ?? oid
}

/** Returns true if the object identifier is below the arc. */
export function isOidWithin(oid: string, arc: string): boolean {
  return oid.startsWith(`${arc}.`)
}

/** Returns true if the object identifier is below one of Puppet's arcs. */
export function isPuppetOid(oid: string): boolean {
  return Object.values(puppetArcs).some((arc) => isOidWithin(oid, arc))
}
