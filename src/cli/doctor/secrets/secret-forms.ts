import { isUtf8 } from 'node:buffer'

/** A secret as it may appear in a file. */
export interface SecretForm {
  /** Description for a finding: `plain text`, `base64`. */
  readonly name: string
  readonly bytes: Buffer
}

/** Lists the forms of a secret; forms with equal bytes are listed once, under the first name. */
export function listSecretForms(value: Buffer): readonly SecretForm[] {
  const forms = new Map<string, SecretForm>()
  const add = (name: string, bytes: Buffer) => {
    const key = bytes.toString('latin1')
    if (!forms.has(key)) forms.set(key, { name, bytes })
  }
  add('plain text', value)
  if (isUtf8(value)) for (const text of listJsonForms(value.toString())) add('escaped JSON', Buffer.from(text))
  // Padding is not part of the pattern, because some programs omit it.
  const base64 = value.toString('base64url')
  add('base64', Buffer.from(base64.replaceAll('-', '+').replaceAll('_', '/')))
  add('base64', Buffer.from(base64))
  for (const text of listUrlForms(value)) add('URL encoding', Buffer.from(text))
  return [...forms.values()]
}

/** The text in a JSON string, as JavaScript and Ruby print it; also without non-ASCII characters. */
function listJsonForms(text: string): readonly string[] {
  const plain = JSON.stringify(text).slice(1, -1)
  const ascii = plain.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [plain, ascii].flatMap((each) => [each, toUpperCaseEscapes(each)])
}

/** Converts `\u00e9` to `\u00E9`; the first group consumes escaped backslashes. */
function toUpperCaseEscapes(json: string): string {
  return json.replace(/\\(?:u([0-9a-f]{4})|.)/g, (sequence, digits?: string) =>
    digits === undefined ? sequence : `\\u${digits.toUpperCase()}`,
  )
}

/** Characters that are not percent-encoded: by `encodeURIComponent`, by RFC 3986, and in forms. */
const unreserved = [/[\w.!~*'()-]/, /[\w.~-]/, /[\w.*-]/] as const

function listUrlForms(value: Buffer): readonly string[] {
  const bytes = Array.from(value)
  return unreserved.flatMap((kept) => {
    const encode = (byte: number) => {
      const character = String.fromCharCode(byte)
      return kept.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`
    }
    const lower = bytes.map(encode).join('')
    const upper = lower.replace(/%../g, (encoded) => encoded.toUpperCase())
    return [lower, upper].flatMap((text) => [text, text.replaceAll('%20', '+')])
  })
}
