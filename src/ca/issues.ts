import { defineIssues } from '../base/issue.ts'

interface Named {
  readonly name: string
}

/** Reasons for rejecting a request or for not signing it, in Puppet Server's words (protocol.md 12). */
export const requestRefusals = defineIssues({
  DUPLICATE_CERT: {
    text: (a: Named & { state: string }) =>
      `${a.name} already has a ${a.state} certificate; ignoring certificate request`,
  },
  HOSTNAME_MISMATCH: {
    text: (a: { subject: string; key: string }) =>
      `Instance name "${a.subject}" does not match requested key "${a.key}"`,
  },
  UPPER_CASE: { text: (_: object) => 'Certificate names must be lower case.' },
  WILDCARD_SUBJECT: { text: (a: Named) => `Subject contains a wildcard, which is not allowed: ${a.name}` },
  RESERVED_SUBJECT_NAME: {
    text: (a: { name: string }) => `The certname '${a.name}' is reserved for the certificate authority`,
    hint: () => 'Choose another certname for the node.',
  },
  INVALID_SUBJECT_NAME: { text: (_: object) => 'Subject hostname format is invalid' },
  INVALID_SIGNATURE: {
    text: (_: object) => 'CSR contains a public key that does not correspond to the signing key',
  },
  DISALLOWED_EXTENSION: {
    text: (a: { oids: readonly string[] }) => `Found extensions that are not permitted: ${a.oids.join(', ')}`,
  },
  EXTRA_ALT_NAMES: {
    text: (a: Named & { extra: readonly string[] }) =>
      `CSR '${a.name}' contains extra subject alternative names (${a.extra.join(', ')}), which are disallowed. ` +
      'To allow subject alternative names, set allow-subject-alt-names to true in your ca.conf file. ' +
      'Then restart the puppetserver and try signing this certificate again.',
  },
  WILDCARD_ALT_NAME: {
    text: (a: Named & { altName: string }) =>
      `CSR '${a.name}' subjectAltName contains a wildcard, which is not allowed: ${a.altName}`,
  },
  ALT_NAME_KIND: {
    text: (a: Named) =>
      `CSR '${a.name}' contains a subject alternative name that is neither a DNS name nor an IP address`,
  },
  WEAK_KEY: {
    text: (a: Named & { what: string; wanted: string }) =>
      `The key of '${a.name}' is ${a.what}; it must be ${a.wanted}`,
    hint: () => 'Set keylength, key_type or named_curve on the node, or minimum_keylength on the CA server.',
  },
  WEAK_SIGNATURE: {
    text: (a: Named & { algorithm: string }) =>
      `CSR '${a.name}' is signed by an algorithm that is not trusted: ${a.algorithm}`,
  },
  LIFE_TOO_LONG: {
    text: (a: Named) => `The lifetime of the certificate of '${a.name}' is too long: the maximum is 100 years`,
  },
  AUTHORIZATION_EXTENSIONS: {
    text: (a: Named) =>
      `CSR '${a.name}' contains an authorization extension, which is disallowed. ` +
      'To allow authorization extensions, set allow-authorization-extensions to true in your ca.conf file. ' +
      'Then restart the puppetserver and try signing this certificate again.',
  },
})

/** Rejections because of the state of the CA. */
export const authorityConflicts = defineIssues({
  NO_REQUEST: { text: (a: Named) => `Cannot sign certificate for host ${a.name} without a certificate request` },
  FILE_BROKEN: {
    text: (a: Named & { what: string; why: string }) => `The ${a.what} of ${a.name} is damaged: ${a.why}`,
    hint: (a) => `Run 'plumb ca clean --certname ${a.name}' to remove it.`,
  },
  REQUEST_CHANGED: {
    text: (a: Named) => `The certificate request of ${a.name} has changed since it was listed`,
    hint: () => "Run 'plumb ca list' again and compare the fingerprint.",
  },
  NO_SIGNED_CERT: { text: (a: Named) => `Cannot revoke certificate for host ${a.name} without a signed certificate` },
  CERT_NOT_OURS: {
    text: (_: object) => 'Certificate present, but does not match signature',
    hint: () => 'The current key of the CA did not sign it. The host needs a new certificate.',
  },
  ALREADY_REVOKED: {
    text: (a: Named) => `Certificate for ${a.name} is revoked`,
    hint: (a) => `A revocation is permanent. Run 'plumb ca clean --certname ${a.name}' to allow a new certificate.`,
  },
  NO_LISTS: { text: (_: object) => 'No valid CRLs submitted.' },
})

/** Rejections because of overload. */
export const authorityOverloads = defineIssues({
  AUTHORITY_BUSY: { text: (_: object) => 'The certificate authority is busy. Please try again later.' },
  TOO_MANY_REQUESTS: {
    text: (_: object) => 'Too many certificate requests are waiting to be signed. Please try again later.',
    hint: () => "Run 'plumb ca sign' or 'plumb ca clean --requested', or increase max_waiting_requests.",
  },
})

/**
 * Temporary failures of the CA's database or of its external signer. Clients get 503 without the reason, which is
 * logged.
 */
export const authorityOutages = defineIssues({
  CA_DATABASE_UNAVAILABLE: {
    text: (a: { why: string }) => `The database of the certificate authority is unavailable: ${a.why}`,
    hint: () => 'Check the setting ca_store, and that PostgreSQL accepts connections from this server.',
  },
  CA_DATABASE_REJECTED: {
    text: (a: { why: string }) => `The certificate authority in the database is not accepted: ${a.why}`,
    hint: () => 'Find out who changed the database. Until it is repaired, this server uses its last copy.',
  },
  SIGNER_FAILED: {
    text: (a: { program: string; why: string }) => `The command '${a.program}' in ca_signer could not sign: ${a.why}`,
    hint: () => 'Run the command with some text on standard input; docs/ca.md describes its output.',
  },
})

/** Errors in the CA's own files and settings. */
export const authorityFaults = defineIssues({
  CA_MISSING: {
    text: (a: { file: string }) => `Could not find the certificate authority: no ${a.file}`,
    hint: () => "Run 'plumb ca setup' first.",
  },
  CA_EXISTS: {
    text: (a: { file: string }) => `Found existing file at '${a.file}'`,
    hint: () =>
      'If you would really like to replace your CA, please delete the existing files first. ' +
      'Note that any certificates that were issued by this CA will become invalid if you replace it!',
  },
  CA_KEY_MISMATCH: { text: (_: object) => "The CA's private key does not match its certificate" },
  CA_NOT_AUTHORITY: { text: (a: { subject: string }) => `Certificate '${a.subject}' is not a CA certificate` },
  CA_NOT_ROOT: {
    text: (a: { subject: string; issuer: string; file: string }) =>
      `The certificate of the CA '${a.subject}' can only be renewed by its issuer '${a.issuer}'`,
    hint: (a) =>
      `Obtain a certificate for the same key from that CA, insert it at the start of ${a.file}, and restart the server.`,
  },
  CA_LIST_MISSING: { text: (a: { file: string }) => `Could not find the CA's own revocation list in ${a.file}` },
  CA_LISTS_INCOMPLETE: {
    text: (a: { subject: string }) => `Could not find the revocation list of '${a.subject}' in --crl-chain`,
    hint: () => 'Add the revocation list of each CA in the bundle; without it, no certificate can be verified.',
  },
  PASSPHRASE_MISSING: {
    text: (a: { file: string }) => `Could not find the passphrase of the CA's private key: no ${a.file}`,
    hint: () => 'Copy the file from another server that has the same ca_store.',
  },
  PASSPHRASE_EXPOSED: {
    text: (a: { file: string }) => `All users can read or change the passphrase of the CA's private key in ${a.file}`,
    hint: (a) => `Run 'chmod 640 ${a.file}', and let only the server's user and group read it.`,
  },
  PASSPHRASE_SHORT: {
    text: (a: { file: string; least: number }) => `The passphrase in ${a.file} is shorter than ${a.least} characters`,
    hint: (a) => `Create a passphrase with 'openssl rand -base64 32 > ${a.file}'.`,
  },
  PASSFILE_UNSET: {
    text: (_: object) => 'A CA in a database needs an encrypted private key or an external signer',
    hint: () => 'Set ca_passfile to a file that all servers have, or ca_signer.',
  },
  PUBLIC_KEY_UNSET: {
    text: (_: object) => 'The public key of the external signer is unknown',
    hint: () => "Export the public key in PEM, and run 'plumb ca setup --public-key FILE'.",
  },
  CA_ABSENT: {
    text: (a: { place: string }) => `Could not find the certificate authority: there is none in ${a.place}`,
    hint: () => "Run 'plumb ca setup' first.",
  },
  INFRA_UNSUPPORTED: {
    text: (_: object) => 'A CA in a database has no revocation list for infrastructure nodes',
    hint: () => 'Set enable-infra-crl to false, or ca_store to cadir.',
  },
  INFRA_INVENTORY_MISSING: {
    text: (a: { file: string }) =>
      `Please create an inventory file at '${a.file}' with the certnames of your infrastructure nodes before proceeding with infra CRL setup!`,
  },
  // Puppet Server: certificate_authority.clj, `partial-state-error`.
  CA_PARTIAL: {
    text: (a: { found: readonly string[]; missing: readonly string[] }) =>
      [
        'Cannot initialize CA with partial state; need all files or none.',
        ...['Found:', ...a.found, 'Missing:', ...a.missing],
      ].join('\n'),
    hint: () =>
      'enable-infra-crl needs these files: list the certnames of infrastructure nodes in infra_inventory.txt and run ' +
      '`plumb ca enable --infracrl`, or set enable-infra-crl to false.',
  },
  INFRA_LIST_EXISTS: {
    text: (a: { file: string }) => `Existing file at '${a.file}'`,
    hint: () =>
      'If you would really like to reinitialize your infrastructure CRL, please delete the existing files and run this command again.',
  },
  SERIAL_UNREADABLE: { text: (a: { file: string }) => `Serial file ${a.file} contains no hexadecimal number` },
})
