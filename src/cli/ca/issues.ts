import { defineIssues } from '../../base/issue.ts'

/** Errors reported by `plumb ca`, with the messages of Puppet Server's CA tool where it has the same errors. */
export const caIssues = defineIssues({
  // Puppet Server's CA tool prints this message for each certname.
  CERTNAME_WITHOUT_REQUEST: { text: (a: { name: string }) => `Could not find certificate request for ${a.name}` },
  CERTNAME_WITHOUT_CERTIFICATE: { text: (a: { name: string }) => `Could not find certificate for ${a.name}` },
  REVOKED_REQUEST: { text: (a: { name: string }) => `Could not revoke unsigned csr for ${a.name}` },
  CERTNAME_UNKNOWN: { text: (a: { name: string }) => `Could not find files to clean for ${a.name}` },
  CERTIFICATE_FILE_MISSING: { text: (a: { path: string }) => `Could not find certificate file at ${a.path}` },
  NOTHING_WAITS: { text: (_: object) => 'No waiting certificate requests to sign' },
  DELETE_WHAT: {
    text: (_: object) => 'Must pass one of the valid flags to determine which certs to delete',
    hint: () => 'Use --expired, --revoked, --certname NAME[,NAME] or --all.',
  },
  DELETE_ALL: {
    text: (_: object) => 'The --all flag must not be used with --expired, --revoked, or --certname',
  },
  PRUNE_WHAT: {
    text: (_: object) => '--remove-entries option require --serial or --certname values',
  },
  SERIAL: {
    text: (a: { text: string }) => `Invalid serial '${a.text}'`,
    hint: () => 'Give a hexadecimal number, as in the inventory: 0x001F, or 1f.',
  },
  DAYS: { text: (a: { text: string }) => `Invalid number of days '${a.text}'` },
  MIGRATION_DONE: {
    text: (a: { path: string }) =>
      `Existing file at '${a.path}'\nMigration will not overwrite the directory at ${a.path}.`,
    hint: () => 'If the CA has already been migrated, nothing is left to do.',
  },
  NO_CA_DIRECTORY: {
    text: (a: { path: string }) =>
      `No CA dir found at ${a.path}. Please check the configured cadir setting in your puppet.conf file and verify its contents.`,
  },
  CERTNAME_HAS_FILES: {
    text: (a: { name: string; path: string }) =>
      `Existing file at '${a.path}'\nPlease delete these files if you really want to generate a new cert for ${a.name}.`,
  },
  NO_CERTNAMES: {
    text: (a: { action: string }) => `Must specify which certificates to ${a.action}`,
    hint: (a) => `Use 'plumb ca ${a.action} NAME...' or --certname NAME[,NAME].`,
  },
  NAMES_AND_ALL: {
    text: (a: { option: string }) => `Certnames cannot be given with ${a.option}`,
    hint: (a) => `Give certnames or ${a.option}, not both.`,
  },
  OPTION_MISSING: { text: (a: { flags: string }) => `Missing option: ${a.flags}` },
  CA_FILE_UNREADABLE: { text: (a: { path: string }) => `Could not read file '${a.path}'` },
  CA_STORE_UNSET: {
    text: (_: object) => 'The setting ca_store does not name a database',
    hint: () => 'Set ca_store to a URL such as postgresql://plumb@db.example.com/ca, and ca_passfile.',
  },
  FINGERPRINT: {
    text: (a: { text: string }) => `Invalid fingerprint '${a.text}'`,
    hint: () => "Give one certname, and the SHA-256 fingerprint that 'plumb ca list' prints.",
  },
  TTL: { text: (a: { text: string }) => `Invalid ttl '${a.text}': give a duration such as 90d, 5y or 3600` },
})
