import { defineDuration, defineFile, defineSearchPath, defineWords } from '../kinds.ts'
import { defineChoices } from './validated-kinds.ts'

/**
 * Settings for files and network resources outside of the environment that code may use during
 * catalog compilation.
 */
export const outsideSettings = {
  external_folders: defineSearchPath({
    live: true,
    doc: 'Directories outside the environment that Ruby code of modules may read, such as keys of a Hiera backend. Each file read is recorded as an input of the catalog.',
  }),
  external_lookups: defineChoices(
    'dns',
    'http',
  )({
    doc: 'Network protocols that Ruby code of modules may use: dns, http. Default: none.',
  }),
  external_dns_names: defineWords({
    takes: 'DNS names and globs',
    doc: 'DNS names that modules may look up: db.example.com, *.example.com for all names below it, *.in-addr.arpa for reverse lookups, * for any name.',
  }),
  external_dns_servers: defineWords({
    takes: 'ADDRESS or ADDRESS:PORT',
    doc: 'DNS servers for these lookups, as ADDRESS or ADDRESS:PORT (default port: 53). Empty: the servers of this machine. Code cannot choose others.',
  }),
  external_http_hosts: defineWords({
    takes: 'host names and globs',
    doc: 'Hosts that modules may read over HTTP: api.example.com, *.example.com; with :PORT for a port other than 80 (http) or 443 (https).',
  }),
  external_http_addresses: defineWords({
    takes: 'IP addresses and networks',
    doc: 'Private addresses and networks that hosts in external_http_hosts may resolve to (10.1.2.0/24, 127.0.0.1).',
  }),
  external_http_ca_file: defineFile({
    doc: 'PEM file of CA certificates that HTTPS requests of modules trust, in addition to those of Node.js.',
  }),
  external_lookup_ttl: defineDuration({
    default: '60s',
    doc: 'Time that a response without a lifetime of its own is cached.',
  }),
} as const
