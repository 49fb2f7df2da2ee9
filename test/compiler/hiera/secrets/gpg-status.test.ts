import { describe, expect, it } from 'vitest'
import { failByStatus, isDecrypted, parseGpgStatus } from '../../../../src/compiler/hiera/secrets/gpg-status.ts'

/** The status lines of gpg 2.2.40 for messages to one recipient. */
const recorded = {
  decrypted: `[GNUPG:] ENC_TO 25294A17CD90507F 1 0
[GNUPG:] DECRYPTION_KEY 71D962851765394F76DB9CFC25294A17CD90507F FBC7B9E2A4F9289AC0C1D4843D16CEE4A27381B4 -
[GNUPG:] BEGIN_DECRYPTION
[GNUPG:] DECRYPTION_INFO 2 9 0
[GNUPG:] PLAINTEXT 62 1795955715 
[GNUPG:] DECRYPTION_OKAY
[GNUPG:] GOODMDC
[GNUPG:] END_DECRYPTION
`,
  'in plain text': '[GNUPG:] PLAINTEXT 62 1795955717 \n[GNUPG:] PLAINTEXT_LENGTH 3\n',
  'for another key': `[GNUPG:] ENC_TO 25294A17CD90507F 1 0
[GNUPG:] NO_SECKEY 25294A17CD90507F
[GNUPG:] BEGIN_DECRYPTION
[GNUPG:] DECRYPTION_FAILED
[GNUPG:] END_DECRYPTION
`,
  changed: `[GNUPG:] ENC_TO 25294A17CD90507F 1 0
[GNUPG:] NO_SECKEY 0000000000000000
[GNUPG:] DECRYPTION_KEY 71D962851765394F76DB9CFC25294A17CD90507F FBC7B9E2A4F9289AC0C1D4843D16CEE4A27381B4 -
[GNUPG:] BADMDC
[GNUPG:] DECRYPTION_FAILED
`,
  'no message': '[GNUPG:] NODATA 1\n[GNUPG:] NODATA 2\n[GNUPG:] FAILURE decrypt 4294967295\n',
  'with a passphrase': `[GNUPG:] ENC_TO 22F8F35501025466 1 0
[GNUPG:] ERROR pkdecrypt_failed 67108949
[GNUPG:] DECRYPTION_FAILED
`,
  symmetric: `[GNUPG:] NEED_PASSPHRASE_SYM 9 3 2
[GNUPG:] ERROR get_passphrase 85
[GNUPG:] CANCELED_BY_USER
[GNUPG:] DECRYPTION_FAILED
`,
} as const

const statusOf = (name: keyof typeof recorded) => parseGpgStatus(`gpg: other text\n${recorded[name]}`)

describe('the status of gpg', () => {
  it('is a success only with its exit status and a decryption', () => {
    expect(isDecrypted(statusOf('decrypted'), 0)).toBe(true)
    expect(isDecrypted(statusOf('decrypted'), 2)).toBe(false)
    expect(isDecrypted(statusOf('decrypted'), null)).toBe(false)
    expect(isDecrypted(statusOf('in plain text'), 0)).toBe(false)
    expect(isDecrypted(parseGpgStatus(`${recorded.decrypted}${recorded['for another key']}`), 0)).toBe(false)
    expect(isDecrypted([], 0)).toBe(false)
  })

  it.each([
    ['for another key', 'the GnuPG home /h has no secret key of its recipients: 25294A17CD90507F'],
    ['changed', 'gpg cannot decrypt it: the message was changed after its encryption'],
    ['no message', 'gpg cannot decrypt it: it is not an OpenPGP message'],
    ['with a passphrase', 'the secret key in the GnuPG home /h has a passphrase'],
    ['symmetric', 'gpg cannot decrypt it: it is encrypted with a passphrase instead of a key'],
    ['decrypted', 'gpg cannot decrypt it: its text is damaged, or exceeds 1048576 bytes'],
    ['in plain text', 'gpg cannot decrypt it: the message is not encrypted, or damaged'],
  ] as const)('of a message %s', (name, error) => {
    expect(() => failByStatus(statusOf(name), '/h')).toThrow(error)
  })

  it('names few keys of a message to many', () => {
    const many = parseGpgStatus('[GNUPG:] NO_SECKEY 0123456789ABCDEF\n'.repeat(5000))
    expect(() => failByStatus(many, '/h')).toThrow(/^.{1,400}$/)
  })
})
