// Many sound requests for certificates at once, for each of which a program is asked.
import { generateKeyPairSync } from 'node:crypto'
import { buildCertificateRequest } from '#built/ca/x509/certificate-request.js'

let count = 0

export const requestFloods = {
  every: 15,
  prepare: () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey,
  act: ({ together, ask, prepared }) =>
    together(60, async () => {
      const commonName = `flood${count++}.soak.test`
      const path = `/puppet-ca/v1/certificate_request/${commonName}`
      const body = buildCertificateRequest({ commonName }, prepared)
      return (await ask(undefined, { method: 'PUT', path, type: 'text/plain', body })).status
    }),
}
