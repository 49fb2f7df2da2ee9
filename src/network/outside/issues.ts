import { defineIssues } from '../../base/issue.ts'

/** Reasons why a request is denied. Puppet code gets an error with the reason, and can rescue the error. */
export const outsideRefusals = defineIssues({
  LOOKUPS_OFF: {
    text: (a: { kind: string }) =>
      `Network access is disabled during catalog compilation: the setting external_lookups does not allow ${a.kind}`,
  },
  DNS_NAME: {
    text: (a: { name: string }) => `The setting external_dns_names does not allow ${a.name}`,
  },
  DNS_BAD_NAME: { text: (a: { name: string }) => `${a.name} is not a valid DNS name` },
  DNS_TYPE: {
    text: (a: { type: string; known: readonly string[] }) =>
      `DNS records of type ${a.type} are not supported; the supported types are ${a.known.join(', ')}`,
  },
  DNS_SERVER: {
    text: (a: { server: string }) => `The DNS server ${a.server} is not listed in the setting external_dns_servers`,
  },
  HTTP_ADDRESS: { text: (a: { url: string }) => `${a.url} is not an HTTP or HTTPS URL` },
  HTTP_METHOD: { text: (a: { method: string }) => `Only GET and HEAD requests are allowed, not ${a.method}` },
  HTTP_HOST: {
    text: (a: { host: string }) => `The setting external_http_hosts does not allow ${a.host}`,
  },
  HTTP_PRIVATE: {
    text: (a: { host: string; address: string }) =>
      `${a.host} has the private address ${a.address}, which the setting external_http_addresses does not allow`,
  },
  TOO_LONG: { text: (a: { most: number }) => `The query exceeds ${a.most} characters` },
  NO_QUESTION: { text: (_: object) => 'The query is neither a DNS query nor an HTTP request' },
})

/** Errors that Puppet code cannot rescue. */
export const outsideIssues = defineIssues({
  NOT_A_NETWORK: {
    text: (a: { given: string }) => `Invalid address or network '${a.given}' in the setting external_http_addresses`,
    hint: () => 'Use a form such as 10.1.2.3, 10.1.2.0/24 or fd00::/8.',
  },
  NOT_A_DNS_SERVER: {
    text: (a: { given: string }) => `Invalid address '${a.given}' in the setting external_dns_servers`,
    hint: () => 'Use a form such as 10.1.2.3, 10.1.2.3:5353 or [fd00::1]:5353.',
  },
  UNREADABLE_AUTHORITIES: {
    text: (a: { file: string; reason: string }) => `Could not read external_http_ca_file ${a.file}: ${a.reason}`,
  },
  OUTSIDE_TOO_SLOW: { text: (_: object) => 'The thread for DNS and HTTP queries did not start in time' },
  NO_ANSWER_IN_FILE: {
    text: (a: { question: string; file: string }) => `The file ${a.file} has no answer to ${a.question}`,
    hint: () => "Run 'plumb catalog compile --save-inputs FILE' to record the answers.",
  },
  UNREADABLE_INPUTS: {
    text: (a: { file: string; reason: string }) => `Could not read answers from ${a.file}: ${a.reason}`,
    hint: () => 'Its format is {"inputs":[{"query":"nodes { }","answer":[…]},{"dns":{…},"answer":{…}}]}.',
  },
})
