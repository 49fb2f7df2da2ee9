import { toPrintable } from '../../../base/text/printable.ts'
import { type ServedGit, type ServeGitOptions, serveGit } from '../git-service.ts'
import { decodePktText, encodePktLine, flushPkt, PktLineReader, parsePktLines } from '../pkt-line.ts'
import type { PushCommand } from '../push-commands.ts'

/** A push of objects from a pack into a repository of this machine. */
export interface PackPush {
  readonly gitDir: string
  readonly objectFormat: 'sha1' | 'sha256'
  readonly commands: readonly PushCommand[]
  /** The bytes of the pack. */
  readonly pack: AsyncIterable<Uint8Array>
  /** Git settings and variables of the hooks. */
  readonly options: Pick<ServeGitOptions, 'config' | 'env'>
  /** Called with each line of the hooks. */
  say(line: string): void
}

/** Bytes of git's reply that are read: the lines of the hooks, and one line for each ref. */
const maxReplyBytes = 64 * 1024 * 1024

/**
 * Pushes a pack as a client would: git keeps the objects in quarantine, the hooks decide, and the refs change together.
 * Returns the reason of a rejection by ref, `''` standing for the whole push; no entry after a successful push.
 */
export async function pushPack(push: PackPush): Promise<ReadonlyMap<string, string>> {
  const served = serveGit(push.gitDir, 'receive-pack', push.options)
  const failures: unknown[] = []
  const writing = writeRequest(served, push).catch((error: unknown) => {
    failures.push(error)
    served.end()
  })
  const report = await readReply(served, push.say).catch((error: unknown) => {
    failures.push(error)
    served.end()
    return Buffer.alloc(0)
  })
  served.stdout.resume()
  await writing
  const { status, said } = await served.ended
  if (failures.length > 0) throw failures[0]
  return readReport(report, status === 0 ? 'git sent no report' : said.split('\n').at(-1) || 'git failed')
}

async function writeRequest({ stdin }: ServedGit, { commands, objectFormat, pack }: PackPush): Promise<void> {
  const capabilities = ` report-status side-band-64k atomic object-format=${objectFormat}`
  const lines = commands.map(({ ref, before, after }, at) =>
    encodePktLine(`${before} ${after} ${ref}${at === 0 ? `\0${capabilities}` : ''}`),
  )
  stdin.write(Buffer.concat([...lines, flushPkt]))
  for await (const chunk of pack) {
    if (!stdin.writable) return
    if (!stdin.write(chunk)) await new Promise((done) => stdin.once('drain', done).once('close', done))
  }
  stdin.end()
}

/** Passes the lines of the hooks to `say`, and returns the report of the refs. */
async function readReply({ stdout }: ServedGit, say: PackPush['say']): Promise<Buffer> {
  const reader = new PktLineReader(stdout as AsyncIterable<Buffer>, maxReplyBytes)
  const report: Buffer[] = []
  let text = ''
  for (let line = await reader.next(); line?.kind === 'data'; line = await reader.next()) {
    const [band] = line.bytes
    if (band === 1) report.push(line.bytes.subarray(1))
    else {
      const lines = `${text}${line.bytes.subarray(1).toString('utf8')}`.split(/[\r\n]+/)
      text = lines.pop() ?? ''
      for (const each of lines) say(toPrintable(each))
    }
  }
  if (text !== '') say(toPrintable(text))
  return Buffer.concat(report)
}

function readReport(report: Buffer, otherwise: string): ReadonlyMap<string, string> {
  const lines = parsePktLines(report).flatMap((line) => (line.kind === 'data' ? [decodePktText(line.bytes)] : []))
  const [unpacked = `unpack ${otherwise}`, ...refs] = lines
  if (unpacked !== 'unpack ok') return new Map([['', unpacked.replace(/^unpack /, '')]])
  return new Map(
    refs.flatMap((line) => {
      const [, ref = '', why = ''] = /^ng (\S+) (.*)$/s.exec(line) ?? []
      return ref === '' ? [] : [[ref, why] as const]
    }),
  )
}
