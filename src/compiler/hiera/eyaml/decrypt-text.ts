import type { KeyObject } from 'node:crypto'
import { fail } from '../../../base/issue.ts'
import { textFromBytes } from '../../../base/text/byte-text.ts'
import { openEnvelope } from './enveloped-data.ts'
import { eyamlIssues } from './issues.ts'

/** As hiera-eyaml looks for them: `ENC[PKCS7,…]` or `ENC[…]`, the base 64 broken anywhere by spaces and ends of lines. */
const block = /ENC\[(?:(\w+),)?([A-Za-z0-9+/ =\n]+?)\]/g

/** True of a text with an opening of encrypted data. */
export function isEncrypted(text: string): boolean {
  return /ENC\[[^[\]]*\]/.test(text)
}

/**
 * The text with each block decrypted, and without the end of its last line. Puppet leaves a block alone that is broken
 * over several lines of a `|` scalar, and hands out the ciphertext: nobody can want that, so it is decrypted here.
 * Throws EYAML_….
 */
export function decryptText(text: string, method: string, key: () => KeyObject): string {
  return text
    .replace(block, (_, named: string | undefined, base64: string) => {
      const used = (named ?? method).toUpperCase()
      if (used !== 'PKCS7') return fail(eyamlIssues.EYAML_METHOD, { method: used })
      return textFromBytes(openEnvelope(Buffer.from(base64, 'base64'), key()))
    })
    .replace(/\r?\n$/, '')
}
