import { defineIssues, type PuppetError } from '../../../base/issue.ts'
import { formatReenrollHint, ResponseError } from '../../../network/client/errors.ts'

interface Named {
  readonly name: string
}

const getAuthorityHint = () => 'The server is not a CA. Set ca_server and ca_port to the CA server.'

/** Messages of Puppet's `ssl/state_machine.rb` and `application/ssl.rb`. */
export const sslIssues = defineIssues({
  CA_MISMATCH: {
    text: (a: { actual: string; expected: string }) =>
      `CA bundle with digest (SHA256) ${a.actual} did not match expected digest ${a.expected}`,
  },
  CA_MISSING_ON_SERVER: { text: (_: object) => 'CA certificate is missing from the server', hint: getAuthorityHint },
  CA_NOT_RENEWED: {
    text: (_: object) => 'The CA certificate of the server is not a renewal of the one that this host trusts',
    hint: () =>
      "If the CA was re-created, run 'plumb ssl clean --localca' on this host. It removes the certificates of the old CA; " +
      'the next run requests a certificate from the new CA.',
  },
  CA_FAILED: { text: (a: { why: string }) => `Could not download CA certificate: ${a.why}` },
  CRL_MISSING_ON_SERVER: { text: (_: object) => 'CRL is missing from the server', hint: getAuthorityHint },
  CRL_FAILED: { text: (a: { why: string }) => `Could not download CRLs: ${a.why}` },
  CSR_FAILED: { text: (a: { status: number }) => `Failed to submit the CSR, HTTP response was ${a.status}` },
  CSR_REJECTED: {
    text: (a: Named & { reason: string }) => `The server rejected the certificate request for ${a.name}: ${a.reason}`,
    hint: () => 'Correct the cause on this machine or on the server, then run the command again.',
  },
  CERT_FAILED: { text: (a: Named & { why: string }) => `Failed to retrieve certificate for ${a.name}: ${a.why}` },
  CERT_KEY_MISMATCH: {
    text: (a: Named & { subject: string }) => `The certificate for '${a.subject}' does not match its private key`,
    hint: (a) => `The certificate or the key was replaced. Restore the matching file. ${formatReenrollHint(a.name)}`,
  },
  WAIT_ZERO: { text: (_: object) => 'Exiting now because the waitforcert setting is set to 0.' },
  WAIT_TOO_LONG: {
    text: (a: Named) =>
      `Couldn't fetch certificate from CA server; you might still need to sign this agent's certificate (${a.name}). ` +
      'Exiting now because the maxwaitforcert timeout has been exceeded.',
  },
  LOCK_ZERO: {
    text: (_: object) => 'Another puppet instance is already running and the waitforlock setting is set to 0; exiting',
  },
  LOCK_TOO_LONG: {
    text: (_: object) =>
      'Another puppet instance is already running and the maxwaitforlock timeout has been exceeded; exiting',
  },
  CSR_ATTRIBUTES_SHAPE: {
    text: (a: { kind: string }) => `invalid CSR attributes, expected instance of Hash, received instance of ${a.kind}`,
  },
  CSR_ATTRIBUTES_UNREADABLE: {
    text: (a: { file: string; why: string }) => (a.why.includes(a.file) ? a.why : `Could not use ${a.file}: ${a.why}`),
  },
  CSR_ATTRIBUTES_UNKNOWN: {
    text: (a: { keys: string; file: string }) => `unexpected attributes ${a.keys} in "${a.file}"`,
  },
  CSR_ATTRIBUTE: {
    text: (a: { oid: string; why: string }) => `Cannot create CSR with attribute ${a.oid}: ${a.why}`,
  },
  CSR_ATTRIBUTE_INTERNAL: {
    text: (a: { oid: string }) => `Cannot specify CSR attribute ${a.oid}: conflicts with internally used CSR attribute`,
  },
  CSR_EXTENSION: {
    text: (a: { oid: string; why: string }) => `Cannot create CSR with extension request ${a.oid}: ${a.why}`,
  },
  CSR_EXTENSION_INTERNAL: {
    text: (a: { oid: string }) =>
      `Cannot specify CSR extension request ${a.oid}: conflicts with internally used extension request`,
  },
  FILE_MISSING: { text: (a: { what: string; path: string }) => `The ${a.what} missing from '${a.path}'` },
  CSR_CONFLICT: {
    text: (a: Named & { url: string }) =>
      `Could not submit certificate request for '${a.name}' to ${a.url} due to a conflict on the server`,
    hint: (a) =>
      `The server already has a certificate request or a certificate with this name. ${formatReenrollHint(a.name)}`,
  },
  CSR_NOT_SUBMITTED: { text: (a: { why: string }) => `Failed to submit certificate request: ${a.why}` },
  CERT_NOT_SIGNED: { text: (a: Named) => `The certificate for '${a.name}' has not yet been signed` },
  CERT_NOT_RENEWED: { text: (a: { why: string }) => `Failed to renew certificate: ${a.why}` },
  CERT_NOT_DOWNLOADED: { text: (a: { why: string }) => `Failed to download certificate: ${a.why}` },
  CLEAN_UNSURE: {
    text: (a: Named) => `Failed to connect to the CA to determine if certificate ${a.name} has been cleaned`,
  },
  CLEAN_FIRST: {
    text: (a: Named) =>
      `The certificate ${a.name} must be cleaned from the CA first. To fix this,\nrun the following commands on the CA:\n` +
      `  plumb ca clean --certname ${a.name} (of a Puppet Server: puppetserver ca clean --certname ${a.name})\n` +
      'and then here:\n  plumb ssl clean',
  },
})

/** Wraps an error response in a sentence about the failed action; other errors are returned unchanged. */
export function wrapResponseError(error: unknown, sentence: (why: string) => PuppetError): unknown {
  return error instanceof ResponseError ? sentence(error.message) : error
}
