import { duration, file, searchPath, words } from '../kinds.ts'
import { someOf } from './checks.ts'

/** Questions that code may ask of the world outside while a catalog is compiled. */
export const outside = {
  external_folders: searchPath({
    live: true,
    doc: 'Folders of this machine that Ruby of modules may read beside the environment, such as keys of a Hiera backend. Each file that it reads is an input of the catalog, and recorded.',
  }),
  external_lookups: someOf(
    'dns',
    'http',
  )({
    doc: 'What Ruby of modules may ask outside: dns, http. Nothing by default.',
  }),
  external_dns_names: words({
    takes: 'DNS names and globs',
    doc: 'The names that may be asked for: db.example.com, *.example.com for all below, *.in-addr.arpa for addresses, * for any.',
  }),
  external_dns_servers: words({
    takes: 'addresses of servers',
    doc: 'Addresses of the servers that are asked, with :PORT where it is not 53; none: those of this machine. Code may name no others.',
  }),
  external_http_hosts: words({
    takes: 'names of hosts and globs',
    doc: 'The hosts that pages may be read from: api.example.com, *.example.com; with :PORT where it is not 80 for http, 443 for https.',
  }),
  external_http_addresses: words({
    takes: 'addresses and networks',
    doc: 'Addresses and networks that are not public (10.1.2.0/24, 127.0.0.1), and that these hosts may have all the same.',
  }),
  external_http_ca_file: file({
    doc: 'Certificates of authorities (PEM) that HTTPS trusts beside those that Node.js knows.',
  }),
  external_lookup_ttl: duration({
    default: '60s',
    doc: 'How long an answer holds that does not say it itself.',
  }),
} as const
