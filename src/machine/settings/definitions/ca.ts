import { budgets } from '../../../base/budgets/budgets.ts'
import { boolean, directory, duration, file, integer, text } from '../kinds.ts'
import { autosigning } from './checks.ts'

/** The certificate authority. */
export const ca = {
  cadir: directory({ default: '$confdir/ca', doc: 'Keys, certificates and inventory of the authority.' }),
  ca_name: text({
    takes: "the name of a certificate's subject",
    default: 'Puppet CA: $certname',
    doc: "The name in the authority's certificate.",
  }),
  ca_ttl: duration({ default: '5y', doc: 'How long a certificate is good.' }),
  autosign: autosigning({
    default: '$confdir/autosign.conf',
    doc: 'Which requests are signed at once: true, false, a file of names and globs, or an executable.',
  }),
  allow_duplicate_certs: boolean({ default: 'false', doc: 'Whether a new request may replace a certificate.' }),
  'allow-subject-alt-names': boolean({ default: 'false', doc: 'Whether requests may ask for further names.' }),
  'allow-authorization-extensions': boolean({
    default: 'false',
    doc: 'Whether requests may ask for authorization extensions.',
  }),
  'allow-auto-renewal': boolean({
    default: 'true',
    doc: 'Whether agents may renew their certificates by themselves.',
  }),
  'auto-renewal-cert-ttl': duration({ default: '90d', doc: 'How long a renewed certificate is good.' }),
  crl_ttl: duration({
    default: '30d',
    doc: 'How long a revocation list is good; it is issued anew when half of that is over.',
  }),
  'enable-infra-crl': boolean({
    default: 'false',
    doc: 'Whether agents get the list of revoked infrastructure nodes (infra_crl.pem) alone.',
  }),
  ocsp: boolean({
    default: 'false',
    doc: 'Whether the authority answers questions about revocation (OCSP, RFC 6960) at /ocsp.',
  }),
  ocsp_signer: file({
    default: '$cadir/ocsp_signer.pem',
    doc: 'The key that signs such answers, and its certificate; made by the authority.',
  }),
  autosign_workers: integer({
    default: String(budgets.authority.autosignPrograms.bound),
    doc: 'How many autosign programs run at once.',
  }),
  max_waiting_requests: integer({
    default: String(budgets.authority.waitingRequests.bound),
    doc: 'How many certificate requests may wait for a person; what autosign agrees to is signed beyond that.',
  }),
  minimum_keylength: integer({
    default: String(budgets.authority.keyBits.bound),
    doc: 'The shortest RSA key, in bits, that gets a certificate.',
  }),
  trusted_oid_mapping_file: file({
    live: true,
    default: '$confdir/custom_trusted_oid_mapping.yaml',
    doc: 'Names of private OIDs.',
  }),
} as const
