import { PuppetError } from '../../../dist/base/issue.js'
import { parsePemBlocks, toPem } from '../../../dist/ca/x509/pem.js'
import { allowing, must, textOf } from '../target.js'

/** PEM: any text has blocks, or none; a block that is written is read again. @type {import('../target.js').Target} */
export default {
  name: 'pem',
  seeds: [
    '-----BEGIN CERTIFICATE-----\nAAEC\n-----END CERTIFICATE-----\n',
    '-----BEGIN X509 CRL-----\r\nAA==\r\n-----END X509 CRL-----',
  ],
  dictionary: [
    '-----BEGIN CERTIFICATE-----',
    '-----END CERTIFICATE-----',
    '-----BEGIN ',
    '-----END ',
    '-----',
    '-----BEGIN A-----\n',
    'X509 CRL',
    'CERTIFICATE REQUEST',
    'NEW ',
    '\n',
    '\r\n',
    ' ',
    '=',
    '==',
    'AAAA',
  ],
  run(bytes) {
    for (const { label, der } of allowing([PuppetError], () => parsePemBlocks(textOf(bytes))) ?? []) {
      const again = parsePemBlocks(toPem(label, der))
      must(
        again.length === 1 && again[0].label === label && again[0].der.equals(der),
        `${label}: written, it reads otherwise`,
      )
    }
  },
}
