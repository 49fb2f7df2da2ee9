// What was asked of the authority for a name, and what it acknowledged.
import { buildCertificateRequest } from '#built/ca/x509/certificate-request.js'
import { generatePrivateKey } from '#built/ca/x509/keys.js'

/** @typedef {'sent' | 'signed' | 'revoked' | 'cleaned'} Step */

/**
 * @typedef {object} Wish A name's certificate: what was asked last, and what of it was acknowledged.
 * @property {string} name
 * @property {Step} asked
 * @property {Step | undefined} told
 * @property {string} [pem] The certificate, once it was given out.
 * @property {boolean} [isVerified] True once openssl has verified it.
 */

/** Sends a request for a certificate. */
export async function sendRequest({ asker, certificates }, name) {
  const pem = buildCertificateRequest(
    { commonName: name },
    await generatePrivateKey({ type: 'ec', curve: 'prime256v1' }),
  )
  /** @type {Wish} */
  const wish = { name, asked: 'sent', told: undefined }
  certificates.set(name, wish)
  await asker.ask('PUT', `/puppet-ca/v1/certificate_request/${name}`, { body: pem, type: 'text/plain' })
  wish.told = 'sent'
}

/** Has a request signed, or a certificate revoked. */
export async function setState({ asker, certificates }, name, state) {
  const wish = certificates.get(name)
  wish.asked = state
  const body = JSON.stringify({ desired_state: state })
  await asker.ask('PUT', `/puppet-ca/v1/certificate_status/${name}`, { body, type: 'application/json' })
  wish.told = state
}

/** Has a certificate revoked and removed. */
export async function cleanUp({ asker, certificates }, name) {
  const wish = certificates.get(name)
  wish.asked = 'cleaned'
  const body = JSON.stringify({ certnames: [name] })
  await asker.ask('PUT', '/puppet-ca/v1/clean', { body, type: 'application/json' })
  wish.told = 'cleaned'
}
