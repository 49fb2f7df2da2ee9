import { budgets } from '../../../base/budgets/budgets.ts'
import { defineBoolean, defineDirectory, defineDuration, defineFile, defineInteger, defineText } from '../kinds.ts'
import { defineAutosign, defineCaStore } from './validated-kinds.ts'

/** Settings of the certificate authority. */
export const caSettings = {
  cadir: defineDirectory({
    default: '$confdir/ca',
    doc: 'Directory of the keys, certificates and inventory of the CA.',
  }),
  ca_store: defineCaStore({
    default: 'cadir',
    doc: 'Storage of the CA: `cadir`, or the URL of a PostgreSQL database (`postgresql://user@host/database`), with which all servers that have the same URL are one CA.',
  }),
  ca_passfile: defineFile({
    doc: 'File with the passphrase of the CA key in the database of ca_store. All servers need the same file.',
  }),
  ca_signer: defineText({
    takes: 'a command',
    default: '',
    doc: 'Command that signs with the CA key, for keys in a hardware security module or a KMS: the absolute path of a program, with arguments. It runs without a shell.',
  }),
  ca_name: defineText({
    takes: 'a subject name',
    default: 'Puppet CA: $certname',
    doc: 'Subject name of the CA certificate.',
  }),
  ca_ttl: defineDuration({ default: '5y', doc: 'Lifetime of the certificates that the CA signs.' }),
  autosign: defineAutosign({
    default: '$confdir/autosign.conf',
    doc: 'Certificate requests that are signed automatically: all (`true`), none (`false`), those with a name in a file of names and globs, or those that an executable accepts.',
  }),
  allow_duplicate_certs: defineBoolean({
    default: 'false',
    doc: 'Allow a certificate request to replace an existing certificate.',
  }),
  'allow-subject-alt-names': defineBoolean({
    default: 'false',
    doc: 'Sign certificate requests that contain subject alternative names.',
  }),
  'allow-authorization-extensions': defineBoolean({
    default: 'false',
    doc: 'Sign certificate requests that contain authorization extensions.',
  }),
  'allow-auto-renewal': defineBoolean({
    default: 'true',
    doc: 'Allow agents to renew their certificates.',
  }),
  'auto-renewal-cert-ttl': defineDuration({ default: '90d', doc: 'Lifetime of a renewed certificate.' }),
  crl_ttl: defineDuration({
    default: '30d',
    doc: 'Lifetime of a certificate revocation list. The CA reissues the list after half of this time.',
  }),
  'enable-infra-crl': defineBoolean({
    default: 'false',
    doc: 'Serve the short revocation list of infrastructure nodes (infra_crl.pem) to agents, instead of the full list.',
  }),
  ocsp: defineBoolean({
    default: 'false',
    doc: 'Answer OCSP requests (RFC 6960) at /ocsp.',
  }),
  ocsp_signer: defineFile({
    default: '$cadir/ocsp_signer.pem',
    doc: 'File with the private key and certificate that sign OCSP responses. The CA creates the file.',
  }),
  autosign_workers: defineInteger({
    default: String(budgets.authority.autosignPrograms.bound),
    doc: 'Maximum number of autosign executables that run at the same time.',
  }),
  max_waiting_requests: defineInteger({
    default: String(budgets.authority.waitingRequests.bound),
    doc: 'Maximum number of certificate requests that wait for manual signing. Requests that autosign accepts do not count.',
  }),
  minimum_keylength: defineInteger({
    default: String(budgets.authority.keyBits.bound),
    doc: 'Minimum length of an RSA key that the CA certifies, in bits.',
  }),
  trusted_oid_mapping_file: defineFile({
    live: true,
    default: '$confdir/custom_trusted_oid_mapping.yaml',
    doc: 'YAML file of names for private OIDs in trusted facts.',
  }),
} as const
