/** One block of a PEM file. */
export interface PemBlock {
  /** As in `-----BEGIN LABEL-----`. */
  readonly label: string
  readonly der: Buffer
}

const block = /-----BEGIN ([A-Z0-9 ]+)-----\s+([A-Za-z0-9+/=\s]*?)-----END \1-----/g

/** Every block; text between them is ignored, as OpenSSL does. */
export function pemBlocks(text: string): PemBlock[] {
  return [...text.matchAll(block)].map(([, label, base64]) => ({
    label: label!,
    der: Buffer.from(base64!.replace(/\s+/g, ''), 'base64'),
  }))
}

/** PEM in lines of 64 characters. */
export function toPem(label: string, der: Uint8Array): string {
  const lines = Buffer.from(der)
    .toString('base64')
    .replace(/.{64}(?=.)/g, '$&\n')
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`
}
