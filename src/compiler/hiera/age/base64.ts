/** Decodes base64 without padding in its canonical form; undefined for any other text. */
export function decodeRawBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64').replaceAll('=', '') === text ? bytes : undefined
}
