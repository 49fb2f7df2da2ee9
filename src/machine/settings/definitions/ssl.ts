import { directory, duration, file, integer, oneOf, text } from '../kinds.ts'
import { curve, fingerprint } from './checks.ts'

/** Keys and certificates of this host. */
export const ssl = {
  ssldir: directory({ default: '$confdir/ssl', doc: 'Keys and certificates of this host.' }),
  certdir: directory({ default: '$ssldir/certs', doc: 'Certificates.' }),
  privatekeydir: directory({ default: '$ssldir/private_keys', doc: 'Private keys.' }),
  publickeydir: directory({ default: '$ssldir/public_keys', doc: 'Public keys.' }),
  requestdir: directory({ default: '$ssldir/certificate_requests', doc: 'Certificate requests.' }),
  localcacert: file({ live: true, default: '$certdir/ca.pem', doc: 'The certificates of the authority we trust.' }),
  hostcrl: file({ default: '$ssldir/crl.pem', doc: 'The revocation lists we check.' }),
  hostcert: file({ live: true, default: '$certdir/$certname.pem', doc: 'Our certificate.' }),
  hostprivkey: file({ live: true, default: '$privatekeydir/$certname.pem', doc: 'Our private key.' }),
  hostpubkey: file({ default: '$publickeydir/$certname.pem', doc: 'Our public key.' }),
  hostcsr: file({ default: '$requestdir/$certname.pem', doc: 'Our certificate request.' }),
  ssl_lockfile: file({ default: '$ssldir/ssl.lock', doc: 'Held while the certificate is being obtained.' }),
  csr_attributes: file({ default: '$confdir/csr_attributes.yaml', doc: 'Attributes and extensions to ask for.' }),
  dns_alt_names: text({
    takes: 'DNS names and IP:ADDRESS, separated by commas',
    doc: 'Further names to ask for in the certificate, separated by commas.',
  }),
  key_type: oneOf('rsa', 'ec')({ default: 'rsa', doc: 'The kind of key to make.' }),
  server_key_type: oneOf(
    'ec',
    'rsa',
  )({
    default: 'ec',
    doc: 'The kind of key to make for the server’s own certificate: each TLS handshake signs with it, with an RSA key of 4096 bits in 5 ms.',
  }),
  keylength: integer({ default: '4096', doc: 'Bits of an RSA key.' }),
  named_curve: curve({ default: 'prime256v1', doc: 'The curve of an EC key.' }),
  certificate_revocation: oneOf(
    'chain',
    'leaf',
    'true',
    'false',
  )({
    default: 'chain',
    doc: 'Which certificates are checked for revocation.',
  }),
  ca_fingerprint: fingerprint({
    doc: "The SHA-256 of the authority's certificate, to check it when it is first fetched.",
  }),
  ca_refresh_interval: duration({ default: '1d', doc: "How often the authority's certificate is fetched anew." }),
  crl_refresh_interval: duration({ default: '1d', doc: 'How often the revocation list is fetched anew.' }),
  hostcert_renewal_interval: duration({
    default: '30d',
    doc: 'How long before its end our certificate is renewed; 0 never.',
  }),
  waitforcert: duration({
    default: '2m',
    doc: 'How long to wait between asking for our certificate; 0 gives up at once.',
  }),
  maxwaitforcert: duration({ default: 'unlimited', doc: 'How long to wait for our certificate in all.' }),
  catalog_signer: file({
    default: '$ssldir/catalog_signer.pem',
    doc: 'The key that signs this server’s catalogs, and its certificate, which is good for nothing else: made where the authority is here.',
  }),
} as const
