import { generateKeyPairSync } from 'node:crypto'
import { PuppetError } from '../../../dist/base/issue.js'
import { decryptText, isEncrypted } from '../../../dist/compiler/hiera/eyaml/decrypt-text.js'
import { openEnvelope } from '../../../dist/compiler/hiera/eyaml/enveloped-data.js'
import { failByStatus, isDecrypted, parseGpgStatus } from '../../../dist/compiler/hiera/secrets/gpg-status.js'
import { allowing, must, textOf } from '../target.js'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })

/** Encrypted blocks of eyaml data, and what gpg says of their decryption. @type {import('../target.js').Target} */
export default {
  name: 'eyaml',
  seeds: [
    'user=ENC[PKCS7,MIIBaQYJ KoZIhvcNAQcDoIIB\nWjCCAVYCAQAx] password=ENC[GPG,hF4DPKuCKLAI1ysSAQdA]!\n',
    'ENC[AAAA]',
    'ENC[ROT13,AAAA]',
    '[GNUPG:] ENC_TO 25294A17CD90507F 1 0\n[GNUPG:] BEGIN_DECRYPTION\n[GNUPG:] DECRYPTION_OKAY\n[GNUPG:] GOODMDC\n',
    '[GNUPG:] NO_SECKEY 25294A17CD90507F\n[GNUPG:] ERROR pkdecrypt_failed 67108949\n[GNUPG:] DECRYPTION_FAILED\n',
  ],
  dictionary: [
    'ENC[',
    'ENC[GPG,',
    'ENC[PKCS7,',
    'gpg,',
    ']',
    '=',
    ' ',
    '\n',
    '\r\n',
    '[GNUPG:] ',
    'NODATA 1',
    'NO_SECKEY ',
    'DECRYPTION_OKAY',
    'DECRYPTION_FAILED',
    'DECRYPTION_KEY ',
    'ERROR pkdecrypt_failed 85',
    'BADMDC',
    'ERRSIG ',
  ],
  run(bytes) {
    const text = textOf(bytes)
    let blocks = 0
    const decryptors = new Map([
      [
        'GPG',
        (/** @type {Buffer} */ block) => {
          blocks++
          return `<${block.toString('base64')}>`
        },
      ],
      ['PKCS7', (/** @type {Buffer} */ block) => openEnvelope(block, [privateKey]).toString('latin1')],
    ])
    allowing([PuppetError], () => decryptText(text, 'GPG', decryptors))
    must(blocks === 0 || isEncrypted(text), 'a block in a text that is not encrypted')
    const status = parseGpgStatus(text)
    if (isDecrypted(status, 0)) must(text.includes('DECRYPTION_OKAY'), 'a decryption without a word of it')
    else allowing([PuppetError], () => failByStatus(status, '/home'))
  },
}
