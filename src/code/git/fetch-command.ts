import { throwIssue } from '../../base/issue.ts'
import { decodePktText, type PktLine, parsePktLines, pktLineIssues } from './pkt-line.ts'
import { isOid } from './ref-names.ts'

/** A request in protocol version 2 of git. Documentation/gitprotocol-v2.txt. */
export type FetchCommand =
  | { readonly kind: 'ls-refs' }
  /** The ids of the requested objects. */
  | { readonly kind: 'fetch'; readonly wants: ReadonlySet<string> }

/** Parses a request in protocol version 2 of git; only listing and fetching are accepted. Throws PKT_LINE. */
export function parseFetchPktLines(body: Buffer): FetchCommand {
  const [first, ...others] = parsePktLines(body)
  const last = others.pop()
  const command = first?.kind === 'data' ? decodePktText(first.bytes) : ''
  if (last?.kind !== 'flush') return failMalformed('a command is incomplete')
  const at = others.findIndex(({ kind }) => kind !== 'data')
  const words = at === -1 ? [] : others.slice(at + 1)
  if ((at !== -1 && others[at]!.kind !== 'delimiter') || words.some(({ kind }) => kind !== 'data'))
    return failMalformed('it contains more than one command')
  if (command === 'command=ls-refs') return { kind: 'ls-refs' }
  if (command !== 'command=fetch') return failMalformed('the command is neither ls-refs nor fetch')
  return { kind: 'fetch', wants: new Set(words.flatMap(parseWant)) }
}

function parseWant(line: PktLine): readonly string[] {
  const text = line.kind === 'data' ? decodePktText(line.bytes) : ''
  if (!text.startsWith('want')) return []
  const oid = text.slice('want '.length)
  return text === `want ${oid}` && isOid(oid) ? [oid] : failMalformed('a want line has no object ID')
}

function failMalformed(why: string): never {
  return throwIssue(pktLineIssues.PKT_LINE, { why })
}
