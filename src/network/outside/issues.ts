import { defineIssues } from '../../base/issue.ts'

/** Reasons why a request is denied. Puppet code gets an error with the reason, and can rescue the error. */
export const outsideRefusals = defineIssues({
  LOOKUPS_OFF: {
    text: (a: { kind: string }) =>
      `There is no network while a catalog is compiled: the setting external_lookups does not allow ${a.kind}`,
  },
  DNS_NAME: {
    text: (a: { name: string }) => `${a.name} is none of the names that the setting external_dns_names allows`,
  },
  DNS_BAD_NAME: { text: (a: { name: string }) => `${a.name} is no name that DNS could have` },
  DNS_TYPE: {
    text: (a: { type: string; known: readonly string[] }) =>
      `Records of the type ${a.type} are not asked for: ${a.known.join(', ')} are`,
  },
  DNS_SERVER: {
    text: (a: { server: string }) => `${a.server} is none of the servers that the setting external_dns_servers names`,
  },
  HTTP_ADDRESS: { text: (a: { url: string }) => `${a.url} is no address of a page of http or https` },
  HTTP_METHOD: { text: (a: { method: string }) => `Pages are read by GET and HEAD only, and not by ${a.method}` },
  HTTP_HOST: {
    text: (a: { host: string }) => `${a.host} is none of the hosts that the setting external_http_hosts allows`,
  },
  HTTP_PRIVATE: {
    text: (a: { host: string; address: string }) =>
      `${a.host} has the address ${a.address}, which is not public, and which the setting external_http_addresses does not allow`,
  },
  TOO_LONG: { text: (a: { most: number }) => `A question has more than ${a.most} characters` },
  NO_QUESTION: { text: (_: object) => 'This is no question to DNS or HTTP' },
})

/** Errors that Puppet code cannot rescue. */
export const outsideIssues = defineIssues({
  NOT_A_NETWORK: {
    text: (a: { given: string }) =>
      `The setting external_http_addresses has '${a.given}', which is no address or network`,
    hint: () => 'They look like 10.1.2.3, 10.1.2.0/24 or fd00::/8.',
  },
  NOT_A_DNS_SERVER: {
    text: (a: { given: string }) => `The setting external_dns_servers has '${a.given}', which is no address`,
    hint: () => 'They look like 10.1.2.3, 10.1.2.3:5353 or [fd00::1]:5353.',
  },
  UNREADABLE_AUTHORITIES: {
    text: (a: { file: string; reason: string }) => `Could not read external_http_ca_file ${a.file}: ${a.reason}`,
  },
  OUTSIDE_TOO_SLOW: { text: (_: object) => 'The thread that asks DNS and HTTP did not start in time' },
  NO_ANSWER_IN_FILE: {
    text: (a: { question: string; file: string }) => `There is no answer to ${a.question} in ${a.file}`,
    hint: () => 'plumb catalog compile --save-inputs writes such a file, with all that was answered from outside.',
  },
  UNREADABLE_INPUTS: {
    text: (a: { file: string; reason: string }) => `Could not read answers from ${a.file}: ${a.reason}`,
    hint: () => 'It is {"inputs":[{"query":"nodes { }","answer":[…]},{"dns":{…},"answer":{…}}]}.',
  },
})
