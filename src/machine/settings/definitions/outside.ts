import { defineDuration, defineFile, defineSearchPath, defineWords } from '../kinds.ts'
import { defineChoices } from './validated-kinds.ts'

/**
 * Settings for files and network resources outside of the environment that code may use during
 * catalog compilation.
 */
export const outsideSettings = {
  external_folders: defineSearchPath({
    live: true,
    doc: 'Directories outside the environment that Ruby code of modules may read, such as the directory of the keys of a Hiera backend. Each file that is read is recorded as an input of the catalog.',
  }),
  external_lookups: defineChoices(
    'dns',
    'http',
    'aws',
    'azure',
    'google',
  )({
    doc: 'Network access during compilations: `dns` and `http` for Ruby code of modules; `aws`, `azure` and `google` for secrets and keys of these clouds in Hiera. Default: none.',
  }),
  external_dns_names: defineWords({
    takes: 'DNS names and globs',
    doc: 'DNS names that modules may look up: a name (`db.example.com`), all names in a domain (`*.example.com`), reverse lookups (`*.in-addr.arpa`), or any name (`*`).',
  }),
  external_dns_servers: defineWords({
    takes: 'ADDRESS or ADDRESS:PORT',
    doc: 'DNS servers for the lookups of modules, as ADDRESS or ADDRESS:PORT (default port: 53). Default: the DNS servers of this machine. Code cannot choose other servers.',
  }),
  external_http_hosts: defineWords({
    takes: 'host names and globs',
    doc: 'Hosts from which modules may read over HTTP, such as `api.example.com` or `*.example.com`. Add :PORT for a port other than 80 (http) or 443 (https).',
  }),
  external_http_addresses: defineWords({
    takes: 'IP addresses and networks',
    doc: 'Private addresses and networks to which hosts in external_http_hosts may resolve, such as `10.1.2.0/24` or `127.0.0.1`.',
  }),
  external_http_ca_file: defineFile({
    doc: 'PEM file of CA certificates that HTTPS requests of modules trust, in addition to the CA certificates of Node.js.',
  }),
  external_vault_addresses: defineWords({
    takes: 'URLs',
    doc: 'URLs of the HashiCorp Vault or OpenBao servers from which the Hiera backend hiera_vault may read secrets, such as `https://vault.example.com:8200`.',
  }),
  external_secret_endpoints: defineWords({
    takes: 'SERVICE=URL',
    doc: 'Addresses of services of AWS, Azure and Google Cloud that store secrets, such as a VPC endpoint: `ssm=https://vpce-1.ssm.eu-central-1.vpce.amazonaws.com`. Default: the public address of the service.',
  }),
  external_lookup_ttl: defineDuration({
    default: '60s',
    doc: 'Cache lifetime of a response that does not specify a lifetime.',
  }),
} as const
