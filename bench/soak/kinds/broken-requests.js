// Requests for certificates that are signed as they should be, but ask for what is broken, weak, or obeyed by terminals.
import { generateKeyPairSync } from 'node:crypto'
import { buildCertificateRequest } from '#built/ca/x509/certificate-request.js'
import { buildTextExtension } from '#built/ca/x509/extensions.js'
import { puppetOids } from '#built/ca/x509/oids.js'

const alternativeNames = '2.5.29.17'
const escapes = '\u001b[2K\rnode1.soak.test (SHA256) \u001b]0;owned\u0007\n\u009b31m'
let count = 0

export const brokenRequests = {
  every: 3,
  prepare() {
    const good = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey
    const weak = generateKeyPairSync('rsa', { modulusLength: 512 }).privateKey
    const broken = (value) => ({ oid: alternativeNames, critical: false, value: Buffer.from(value, 'hex') })
    return [
      { key: good, extensions: [broken('ffffff')] },
      { key: good, extensions: [broken('3003820a61')] },
      { key: good, extensions: [broken('')] },
      { key: good, extensions: [broken('30053003820161')] },
      { key: weak, extensions: [] },
      { key: good, extensions: [buildTextExtension(puppetOids.get('pp_role') ?? '', escapes)] },
      { key: good, extensions: [buildTextExtension('1.3.6.1.4.1.34380.1.2.1', escapes)] },
    ]
  },
  act: ({ together, ask, prepared }) =>
    together(prepared.length, async (number) => {
      const commonName = `broken${count++}.soak.test`
      const { key, extensions } = prepared[number]
      const body = buildCertificateRequest({ commonName, extensions }, key)
      const path = `/puppet-ca/v1/certificate_request/${commonName}`
      return (await ask(undefined, { method: 'PUT', path, type: 'text/plain', body })).status
    }),
}
