import { defineIssues, throwIssue } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { withFileAccess } from '../../node/agent/file-access.ts'
import { parseChainLine } from '../../store/audit/chain.ts'
import { type NumberedRecord, recordKinds } from '../../store/audit/record.ts'
import { listAuditSegments, readFileLines } from '../../store/audit/segments.ts'
import { type AuditVerdict, verifyAuditLog } from '../../store/audit/verify.ts'
import { type CliCommand, type CommandInvocation, defineCommand, type Io } from '../command/command.ts'
import { printDiagnostic, printMessage } from '../command/messages.ts'
import { type Option, renderAs } from '../command/options.ts'

const issues = defineIssues({
  NO_AUDIT_LOG: {
    text: (a: { folder: string }) => `Could not find an audit log in ${a.folder}`,
    hint: () => "'plumb server' writes the audit log to auditdir, unless audit = false.",
  },
  AUDIT_LAST: { text: (a: { text: string }) => `Invalid number '${a.text}' for --last` },
  AUDIT_HEAD: {
    text: (a: { text: string }) => `Invalid head '${a.text}'`,
    hint: () => "Give the hash that 'plumb audit head' prints: 64 hexadecimal digits.",
  },
})

const logOptions = [
  { flags: '--kind <kind>', doc: 'Print only records of this kind.', choices: recordKinds },
  { flags: '--node <certname>', doc: 'Print only catalogs of this node, and the secrets that their code read.' },
  { flags: '--last <count>', doc: 'Print only the last N records.' },
  renderAs,
] as const satisfies readonly Option[]

const verifyOptions = [
  {
    flags: '--head <hash>',
    doc: "Hash from an earlier run of 'plumb audit head'. Verification fails if the log does not contain this hash.",
  },
  renderAs,
] as const satisfies readonly Option[]

/** The command `plumb audit`. */
export const auditCommand: CliCommand = {
  name: 'audit',
  summary: 'Print and verify the audit log of catalogs and pushes.',
  description: `The server writes a record for each compiled catalog, each push, each deployed or rejected commit, and each freeze or
unfreeze of an environment. Each record contains its hash and the hash of the previous record, so that changing, moving
or removing a record requires rewriting all later records. To detect such a rewrite, store the output of 'plumb audit
head' on another machine, and verify the log with its hash.

  plumb audit head >> /mnt/elsewhere/heads
  plumb audit verify --head 8d1f…`,
  commands: [
    defineCommand({
      name: 'log',
      summary: 'Print records, oldest first.',
      description: `Prints a line for each record: time, kind and fields. With --render-as json, prints the JSON object in the log.

  plumb audit log --kind push --last 20
  plumb audit log --node web1.example.com --render-as json`,
      options: logOptions,
      run: (invocation) => withFileAccess(() => printAuditLog(invocation)),
    }),
    defineCommand({
      name: 'verify',
      summary: 'Verify that the log is complete and unmodified.',
      description: `Verifies the hash of every record. Exits with 0, or with 1 if a record was changed, moved, added or removed, or if the
log does not contain the hash of --head, because the log was truncated or rewritten. Missing segments at the start of
the log are reported, but are not an error, because audit_ttl removes old segments.`,
      options: verifyOptions,
      run: (invocation) => withFileAccess(() => printAuditVerification(invocation)),
    }),
    defineCommand({
      name: 'head',
      summary: 'Print the number and hash of the last record, for storage on another machine.',
      options: [renderAs],
      run: (invocation) => withFileAccess(() => printAuditHead(invocation)),
    }),
  ],
}

/** The directory of the log. Throws NO_AUDIT_LOG. */
async function findAuditFolder(given: Readonly<Record<string, string>>): Promise<string> {
  const { auditdir: folder } = loadSettings({ given, runMode: 'server' })
  if ((await listAuditSegments(folder, localSystem.files)).length === 0) throwIssue(issues.NO_AUDIT_LOG, { folder })
  return folder
}

async function printAuditLog({ options, settings, io }: CommandInvocation<typeof logOptions>): Promise<number> {
  const folder = await findAuditFolder(settings)
  const last = options.last === undefined ? undefined : parseRecordCount(options.last)
  const formatLine = (record: NumberedRecord, json: string) =>
    `${options.renderAs === 'json' ? json : formatRecord(record)}\n`
  const kept: string[] = []
  for await (const { record, json } of readRecords(folder)) {
    if (options.kind !== undefined && record.kind !== options.kind) continue
    if (options.node !== undefined && !('node' in record && record.node === options.node)) continue
    if (last === undefined) io.out(formatLine(record, json))
    else {
      kept.push(formatLine(record, json))
      if (kept.length > 2 * last) kept.splice(0, kept.length - last)
    }
  }
  if (last !== undefined && last > 0) io.out(kept.slice(-last).join(''))
  return 0
}

/** Reads the records of a log. Skips malformed lines, which `verify` reports. */
async function* readRecords(folder: string) {
  for (const { path } of await listAuditSegments(folder, localSystem.files))
    for await (const { text, isWhole } of readFileLines(path)) {
      const line = isWhole ? parseChainLine(text) : undefined
      if (line) yield line
    }
}

/** Formats a record as a line of text. */
function formatRecord(record: NumberedRecord): string {
  const { seq: _, time, kind, ...members } = record
  const words = Object.entries(members).map(
    ([name, value]) => `${name}=${value === null ? '-' : toPrintable(formatMember(value))}`,
  )
  return [time, kind.padEnd(7), ...words].join(' ')
}

function formatMember(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function parseRecordCount(text: string): number {
  return /^\d{1,7}$/.test(text) ? Number(text) : throwIssue(issues.AUDIT_LAST, { text })
}

async function printAuditVerification({
  options,
  settings,
  io,
}: CommandInvocation<typeof verifyOptions>): Promise<number> {
  const folder = await findAuditFolder(settings)
  const known = options.head?.toLowerCase()
  if (known !== undefined && !/^[0-9a-f]{64}$/.test(known)) throwIssue(issues.AUDIT_HEAD, { text: known })
  const verdict = await verifyAuditLog(folder, localSystem.files, known)
  if (options.renderAs === 'json') io.out(`${JSON.stringify(verdictToJson(verdict), undefined, 2)}\n`)
  else printVerdict(verdict, io)
  return verdict.problems.length === 0 ? 0 : 1
}

function verdictToJson({ problems, ...verdict }: AuditVerdict) {
  return {
    ...verdict,
    problems: problems.map(({ diagnostic: { code, message, hint }, file, line }) => ({
      code,
      message,
      hint,
      file,
      line,
    })),
  }
}

function printVerdict({ segments, records, first, head, headAt, unfinished, problems }: AuditVerdict, io: Io): void {
  for (const { diagnostic } of problems) printDiagnostic(diagnostic, io)
  if (first !== undefined && first > 1)
    printMessage('Warning', `Records 1 to ${first - 1} are missing: their segments have been removed`, io)
  if (unfinished > 0) printMessage('Warning', `The last record is incomplete: ${unfinished} bytes`, io)
  const getPluralSuffix = (count: number) => (count === 1 ? '' : 's')
  io.out(`${records} record${getPluralSuffix(records)} in ${segments} segment${getPluralSuffix(segments)}\n`)
  if (problems.length > 0) return
  if (headAt !== undefined && head)
    io.out(`The given head is record ${headAt}; ${head.seq - headAt} records follow it\n`)
  if (head) io.out(`Verified up to record ${head.seq} ${head.hash}\n`)
}

async function printAuditHead({
  options,
  settings,
  io,
}: CommandInvocation<readonly [typeof renderAs]>): Promise<number> {
  const { head: last } = await verifyAuditLog(await findAuditFolder(settings), localSystem.files)
  if (!last) return 1
  io.out(options.renderAs === 'json' ? `${JSON.stringify(last)}\n` : `${last.seq} ${last.hash}\n`)
  return 0
}
