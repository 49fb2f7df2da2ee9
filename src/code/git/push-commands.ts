import { defineIssues, throwIssue } from '../../base/issue.ts'
import { decodePktText, type PktLine, type PktLineReader, pktLineIssues } from './pkt-line.ts'
import { isOid, isSafeRef } from './ref-names.ts'

/** An update of one ref in a push. */
export interface PushCommand {
  readonly ref: string
  /** Old value of the ref; all zeros for a new ref. */
  readonly before: string
  /** New value of the ref; all zeros to delete the ref. */
  readonly after: string
}

/** The part of a push before the pack. Documentation/gitprotocol-pack.txt, "Reference Update Request". */
export interface PushHead {
  readonly commands: readonly PushCommand[]
  readonly capabilities: ReadonlySet<string>
}

/** Limits for the head of a push. */
export interface PushHeadBounds {
  readonly refs: number
  /** Total bytes of all push options. */
  readonly optionBytes: number
}

/** Errors in the head of a push. */
export const pushHeadIssues = defineIssues({
  PUSH_SIGNED: { text: (_: object) => 'Signed pushes are not supported over HTTPS' },
  PUSH_TOO_MANY_REFS: { text: (a: { bound: number }) => `A push can contain at most ${a.bound} refs` },
  PUSH_OPTIONS: { text: (a: { bound: number }) => `The push options can have at most ${a.bound} bytes` },
})

/** Reads the head of a push, up to the pack. Throws PKT_LINE, PUSH_SIGNED, PUSH_TOO_MANY_REFS, PUSH_OPTIONS. */
export async function readPushHead(reader: PktLineReader, bounds: PushHeadBounds): Promise<PushHead> {
  const reading = parsePushHead(bounds)
  let step = reading.next()
  while (!step.done) step = reading.next(await reader.next())
  return step.value
}

/**
 * Parses the head of a push. The caller resumes each `yield` with the next line, or with
 * `undefined` at the end of the bytes. Throws the same errors as `readPushHead`.
 */
export function* parsePushHead(bounds: PushHeadBounds): Generator<void, PushHead, PktLine | undefined> {
  const commands: PushCommand[] = []
  let capabilities: ReadonlySet<string> | undefined
  for (;;) {
    const line = yield
    // Git sends an empty request to test if authentication succeeds.
    if (line?.kind === 'flush' || (!line && commands.length === 0)) break
    if (line?.kind !== 'data') return failMalformed('the list of refs is incomplete')
    const [text = '', listed] = splitAtNul(decodePktText(line.bytes))
    if (text === 'push-cert') throwIssue(pushHeadIssues.PUSH_SIGNED, {})
    if (text.startsWith('shallow ') && isOid(text.slice('shallow '.length))) continue
    if (listed !== undefined && commands.length > 0) failMalformed('the capabilities occur twice')
    commands.push(parsePushCommand(text))
    capabilities ??= parseCapabilities(listed ?? '')
    if (commands.length > bounds.refs) throwIssue(pushHeadIssues.PUSH_TOO_MANY_REFS, { bound: bounds.refs })
  }
  if (capabilities?.has('push-options')) yield* countPushOptions(bounds.optionBytes)
  return { commands, capabilities: capabilities ?? new Set<string>() }
}

/** Splits a line at its first NUL. */
function splitAtNul(text: string): readonly string[] {
  const at = text.indexOf('\0')
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/** Returns the names of the capabilities without their values; the list is split at white space, as in git. */
function parseCapabilities(text: string): ReadonlySet<string> {
  const words = text.split(/[\t-\r ]/).map((word) => word.split('=', 1)[0]!)
  return new Set(words.filter((word) => word !== ''))
}

function parsePushCommand(text: string): PushCommand {
  if (text.includes('\ufffd')) return failMalformed('a ref is not UTF-8')
  const [, before = '', after = '', ref = ''] = /^([0-9a-f]+) ([0-9a-f]+) (.+)$/s.exec(text) ?? []
  if (!isOid(before) || !isOid(after) || before.length !== after.length) return failMalformed('a line has no ref')
  return isSafeRef(ref) && ref.startsWith('refs/') ? { before, after, ref } : failMalformed('a ref name is invalid')
}

/** Counts the push options; git itself parses them later. */
function* countPushOptions(bound: number): Generator<void, void, PktLine | undefined> {
  let bytes = 0
  for (;;) {
    const line = yield
    if (line?.kind === 'flush') return
    if (line?.kind !== 'data') return failMalformed('the push options are incomplete')
    bytes += line.bytes.length
    if (bytes > bound) throwIssue(pushHeadIssues.PUSH_OPTIONS, { bound })
  }
}

function failMalformed(why: string): never {
  return throwIssue(pktLineIssues.PKT_LINE, { why })
}
