import type { KeyObject } from 'node:crypto'
import { throwIssue } from '../../../base/issue.ts'
import { decodeLosslessUtf8 } from '../../../base/text/byte-text.ts'
import { openEnvelope } from './enveloped-data.ts'
import { eyamlIssues } from './issues.ts'

/**
 * Matches `ENC[PKCS7,…]` or `ENC[…]`; spaces and line breaks may be anywhere in the base64. This is hiera-eyaml's
 * pattern.
 */
const block = /ENC\[(?:(\w+),)?([A-Za-z0-9+/ =\n]+?)\]/g

/** Returns true if the text contains an encrypted block. */
export function isEncrypted(text: string): boolean {
  return /ENC\[[^[\]]*\]/.test(text)
}

/**
 * Decrypts each block in a text and removes the final line break. Also decrypts a block that spans several lines of a
 * `|` scalar: Puppet returns the ciphertext of such a block, which is never useful. Throws EYAML_….
 */
export function decryptText(text: string, method: string, key: () => KeyObject): string {
  return text
    .replace(block, (_, named: string | undefined, base64: string) => {
      const used = (named ?? method).toUpperCase()
      if (used !== 'PKCS7') return throwIssue(eyamlIssues.EYAML_METHOD, { method: used })
      return decodeLosslessUtf8(openEnvelope(Buffer.from(base64, 'base64'), key()))
    })
    .replace(/\r?\n$/, '')
}
