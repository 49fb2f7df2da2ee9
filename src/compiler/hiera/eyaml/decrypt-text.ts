import { throwIssue } from '../../../base/issue.ts'
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

/** Decrypts the bytes of a block. Bytes of the result that are not UTF-8 are escaped (base/text/byte-text.ts). */
export type Decryptor = (bytes: Buffer) => string

/**
 * Decrypts each block in a text by the decryptor of its method, and removes the final line break. Also decrypts a block
 * that spans several lines of a `|` scalar: Puppet returns the ciphertext of such a block, which is never useful. Throws
 * EYAML_….
 */
export function decryptText(text: string, method: string, decryptors: ReadonlyMap<string, Decryptor>): string {
  return text
    .replace(block, (_, named: string | undefined, base64: string) => {
      const used = (named ?? method).toUpperCase()
      const decrypt = decryptors.get(used) ?? throwIssue(eyamlIssues.EYAML_METHOD, { method: used })
      return decrypt(Buffer.from(base64, 'base64'))
    })
    .replace(/\r?\n$/, '')
}
