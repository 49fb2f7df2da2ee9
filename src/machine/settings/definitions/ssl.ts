import { defineChoice, defineDirectory, defineDuration, defineFile, defineInteger, defineText } from '../kinds.ts'
import { defineCurve, defineFingerprint } from './validated-kinds.ts'

/** Settings for the keys and certificates of this host. */
export const sslSettings = {
  ssldir: defineDirectory({ default: '$confdir/ssl', doc: 'Directory of the keys and certificates of this host.' }),
  certdir: defineDirectory({ default: '$ssldir/certs', doc: 'Directory of certificates.' }),
  privatekeydir: defineDirectory({ default: '$ssldir/private_keys', doc: 'Directory of private keys.' }),
  publickeydir: defineDirectory({ default: '$ssldir/public_keys', doc: 'Directory of public keys.' }),
  requestdir: defineDirectory({ default: '$ssldir/certificate_requests', doc: 'Directory of certificate requests.' }),
  localcacert: defineFile({ live: true, default: '$certdir/ca.pem', doc: 'CA certificates that this host trusts.' }),
  hostcrl: defineFile({ default: '$ssldir/crl.pem', doc: 'Certificate revocation lists that this host checks.' }),
  hostcert: defineFile({ live: true, default: '$certdir/$certname.pem', doc: 'Certificate of this host.' }),
  hostprivkey: defineFile({ live: true, default: '$privatekeydir/$certname.pem', doc: 'Private key of this host.' }),
  hostpubkey: defineFile({ default: '$publickeydir/$certname.pem', doc: 'Public key of this host.' }),
  hostcsr: defineFile({ default: '$requestdir/$certname.pem', doc: 'Certificate request of this host.' }),
  ssl_lockfile: defineFile({
    default: '$ssldir/ssl.lock',
    doc: 'Lock file that exists while this host obtains its certificate.',
  }),
  csr_attributes: defineFile({
    default: '$confdir/csr_attributes.yaml',
    doc: 'YAML file of attributes and extensions for the certificate request of this host.',
  }),
  dns_alt_names: defineText({
    takes: 'DNS names and IP:ADDRESS, separated by commas',
    doc: 'Subject alternative names for the certificate request of this host.',
  }),
  key_type: defineChoice('rsa', 'ec')({ default: 'rsa', doc: 'Type of generated private keys: `rsa` or `ec`.' }),
  server_key_type: defineChoice(
    'ec',
    'rsa',
  )({
    default: 'ec',
    doc: 'Type of the private key that is generated for a server: `ec` or `rsa`. TLS handshakes are faster with EC keys; a signature with an RSA key of 4096 bits takes 5 ms.',
  }),
  keylength: defineInteger({ default: '4096', doc: 'Length of generated RSA keys, in bits.' }),
  named_curve: defineCurve({ default: 'prime256v1', doc: 'Curve of generated EC keys.' }),
  certificate_revocation: defineChoice(
    'chain',
    'leaf',
    'true',
    'false',
  )({
    default: 'chain',
    doc: 'Certificates of a peer that are checked for revocation: the whole chain (`chain` or `true`), the peer certificate only (`leaf`), or none (`false`).',
  }),
  ca_fingerprint: defineFingerprint({
    doc: 'SHA-256 fingerprint of the CA certificate. The first download of the CA certificate fails if the certificate has another fingerprint.',
  }),
  ca_refresh_interval: defineDuration({ default: '1d', doc: 'Interval between downloads of the CA certificates.' }),
  crl_refresh_interval: defineDuration({
    default: '1d',
    doc: 'Interval between downloads of the certificate revocation lists.',
  }),
  hostcert_renewal_interval: defineDuration({
    default: '30d',
    doc: 'Remaining lifetime at which the certificate of this host is renewed; 0 disables renewal.',
  }),
  waitforcert: defineDuration({
    default: '2m',
    doc: 'Interval between requests for the certificate of this host until the CA has signed it. With 0, the command exits without waiting.',
  }),
  maxwaitforcert: defineDuration({
    default: 'unlimited',
    doc: 'Maximum time to wait for the certificate of this host.',
  }),
  catalog_signer: defineFile({
    default: '$ssldir/catalog_signer.pem',
    doc: 'File with the private key and certificate that sign the catalogs of this server. A server that hosts the CA creates the file. The certificate is valid only for signing catalogs.',
  }),
} as const
