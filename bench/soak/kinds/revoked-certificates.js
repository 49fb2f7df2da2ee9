// A certificate that was revoked.
import { Breach } from '../attack.js'
import { revoked } from '../place.js'

const paths = [
  `/puppet/v3/node/${revoked}?environment=production`,
  '/puppet/v3/file_content/modules/ssh/part0.conf?environment=production',
  '/puppet-ca/v1/certificate_statuses/all',
]

export const revokedCertificates = {
  every: 5,
  act: ({ together, ask }) =>
    together(paths.length, async (number) => {
      const { status } = await ask(revoked, { path: paths[number] })
      if (status === 200) throw new Breach(`${paths[number]} was answered to a revoked certificate`)
      return status
    }),
}
