import { createDecipheriv } from 'node:crypto'
import { throwIssue } from '../../../base/issue.ts'
import { decodeLosslessUtf8 } from '../../../base/text/byte-text.ts'
import { createBoolean, createFloat, createInteger } from './go-scalars.ts'
import { sopsIssues } from './issues.ts'
import { createTextLeaf, type SopsLeaf } from './sops-tree.ts'

const tagBytes = 16

/** Matches an encrypted value. SOPS: aes/cipher.go. */
const encrypted =
  /^ENC\[AES256_GCM,data:([A-Za-z0-9+/=]+),iv:([A-Za-z0-9+/=]{1,100}),tag:([A-Za-z0-9+/=]{1,100}),type:([a-z]{1,20})\]$/

/**
 * Decrypts a value with AES-256-GCM. `path` authenticates the place of the value in the file; `at` is the place for
 * messages. SOPS leaves an empty string as it is. Throws SOPS_VALUE, without any plain text.
 */
export function decryptSopsValue(text: string, key: Buffer, path: string, at: string): SopsLeaf {
  if (text === '') return createTextLeaf('')
  const [, data = '', iv = '', tag = '', type = ''] = encrypted.exec(text) ?? []
  const failValue = (why: string): never => throwIssue(sopsIssues.SOPS_VALUE, { at, why })
  if (data === '') return failValue('is not encrypted')
  const plain = openValue(decodeBase64(data), { key, iv: decodeBase64(iv), tag: decodeBase64(tag), path })
  return plain
    ? convertPlainText(decodeLosslessUtf8(plain), type, failValue)
    : failValue('was changed or moved after its encryption')
}

function openValue(
  data: Buffer,
  { key, iv, tag, path }: { key: Buffer; iv: Buffer; tag: Buffer; path: string },
): Buffer | undefined {
  if (iv.length === 0 || tag.length !== tagBytes) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(path)).setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(data), decipher.final()])
  } catch {
    return undefined
  }
}

function convertPlainText(text: string, type: string, failValue: (why: string) => never): SopsLeaf {
  if (type === 'str' || type === 'bytes' || type === 'time') return createTextLeaf(text)
  if (type === 'int') return /^[-+]?\d{1,20}$/.test(text) ? createInteger(BigInt(text)) : failValue('is not an integer')
  if (type === 'float')
    return /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$|^(?:NaN|[-+]Inf)$/.test(text)
      ? createFloat(Number(text.replace('Inf', 'Infinity')))
      : failValue('is not a float')
  if (type === 'bool') {
    if (/^(?:1|t|T|TRUE|true|True)$/.test(text)) return createBoolean(true)
    return /^(?:0|f|F|FALSE|false|False)$/.test(text) ? createBoolean(false) : failValue('is not a boolean')
  }
  return failValue('has an unknown type')
}

function decodeBase64(text: string): Buffer {
  return Buffer.from(text, 'base64')
}
