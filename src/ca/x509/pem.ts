import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'

/** One block of a PEM file. */
export interface PemBlock {
  /** The label in `-----BEGIN LABEL-----`. */
  readonly label: string
  readonly der: Buffer
}

const issues = defineIssues({
  PEM_BLOCKS: { text: (a: { bound: number }) => `The text contains more than ${a.bound} PEM blocks` },
})

const begin = '-----BEGIN '
const dashes = '-----'

/**
 * Parses all blocks; ignores text between them, as OpenSSL does. The scan takes linear time: labels and base64 contain
 * no dash, so the next dash ends a label or the base64 text. Throws PEM_BLOCKS.
 */
export function parsePemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = []
  for (let at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at)) {
    const label = readUntilDash(text, at + begin.length)
    at += begin.length + label.length
    if (!/^[A-Z0-9 ]+$/.test(label) || !text.startsWith(dashes, at)) continue
    const body = readUntilDash(text, at + dashes.length)
    const foot = at + dashes.length + body.length
    const end = `-----END ${label}-----`
    if (!/^\s[A-Za-z0-9+/=\s]*$/.test(body) || !text.startsWith(end, foot)) continue
    at = foot + end.length
    if (blocks.length === budgets.request.pemBlocks.bound) throwIssue(issues.PEM_BLOCKS, { bound: blocks.length })
    blocks.push({ label, der: Buffer.from(body, 'base64') })
  }
  return blocks
}

function readUntilDash(text: string, from: number): string {
  const dash = text.indexOf('-', from)
  return text.slice(from, dash < 0 ? text.length : dash)
}

/** Encodes PEM in lines of 64 characters. */
export function toPem(label: string, der: Uint8Array): string {
  const lines = Buffer.from(der)
    .toString('base64')
    .replace(/.{64}(?=.)/g, '$&\n')
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`
}
