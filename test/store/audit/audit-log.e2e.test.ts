import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { budgets } from '../../../src/base/budgets/budgets.ts'
import { localFiles } from '../../../src/machine/system/files.ts'
import { type AuditLog, openAuditLog } from '../../../src/store/audit/audit-log.ts'
import { parseChainLine } from '../../../src/store/audit/chain.ts'
import { verifyAuditLog } from '../../../src/store/audit/verify.ts'
import { whyNotMount } from '../../support/may-mount.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const root = resolve(import.meta.dirname, '../../..')
let auditdir: string
let said: string[]
let log: AuditLog | undefined
beforeEach(() => {
  auditdir = join(scratchFolder('audit'), 'audit')
  said = []
})
afterEach(async () => {
  await log?.close()
  log = undefined
})

async function open(change: { audit_segment_size?: number; audit_ttl?: number } = {}): Promise<AuditLog> {
  const settings = { auditdir, audit_segment_size: 16 * 1024 * 1024, audit_ttl: 0, certname: 'server.test', ...change }
  log = await openAuditLog({ settings, files: localFiles, now: Date.now, say: (_, message) => said.push(message) })
  return log
}

const catalogOf = (node: string) =>
  ({ kind: 'catalog', node, environment: 'production', code_id: 'c1', digest: `{sha256}${'0'.repeat(64)}` }) as const

/** A log of so many catalogs, closed. */
async function written(count: number, change: { audit_segment_size?: number } = {}): Promise<void> {
  const log = await open(change)
  for (let n = 1; n <= count; n++) {
    log.add(catalogOf(`n${n}.test`))
    // Segments change between batches.
    if (n % 5 === 0) await log.flush()
  }
  await log.close()
}

const segments = () =>
  readdirSync(auditdir)
    .filter((name) => name.endsWith('.log'))
    .map((name) => join(auditdir, name))
const lines = (file: string) => readFileSync(file, 'utf8').split('\n').slice(0, -1)
const write = (file: string, all: readonly string[]) => writeFileSync(file, all.map((line) => `${line}\n`).join(''))
const problems = async (head?: string) =>
  (await verifyAuditLog(auditdir, localFiles, head)).problems.map(({ diagnostic: { code }, line }) =>
    `${code} ${line ?? ''}`.trim(),
  )

describe('the audit log', () => {
  it('is a chain of records, each of which names what it follows', async () => {
    await written(3)
    const [file = ''] = segments()
    expect(file).toMatch(/audit-000000000001\.log$/)
    expect(statSync(file).mode & 0o777).toBe(0o640)
    const records = lines(file).map((line) => parseChainLine(line)!.record)
    expect(records.map(({ seq, kind }) => `${seq} ${kind}`)).toEqual([
      '1 segment',
      '2 catalog',
      '3 catalog',
      '4 catalog',
    ])
    expect(records[0]).toMatchObject({ server: 'server.test', previous: '0'.repeat(64) })
    expect(records[1]).toMatchObject({ node: 'n1.test', environment: 'production', code_id: 'c1' })
    expect(await verifyAuditLog(auditdir, localFiles)).toMatchObject({
      records: 4,
      first: 1,
      head: { seq: 4 },
      problems: [],
    })
  })

  it('goes on where it was, in segments that continue each other', async () => {
    await written(20, { audit_segment_size: 1500 })
    await written(10, { audit_segment_size: 1500 })
    expect(segments().length).toBeGreaterThan(3)
    const { problems, records, head } = await verifyAuditLog(auditdir, localFiles)
    expect(problems).toEqual([])
    expect(records).toBe(30 + segments().length)
    expect(head!.seq).toBe(records)
    const second = parseChainLine(lines(segments()[1]!)[0]!)!.record
    expect(second).toMatchObject({ kind: 'segment', previous: parseChainLine(lines(segments()[0]!).at(-1)!)!.hash })
  })

  it('keeps texts within their bound, and one line a record, whatever they hold', async () => {
    const log = await open()
    log.add({
      kind: 'push',
      ref: 'refs/heads/a\n\u001b[2J',
      old: '0',
      new: '1',
      pusher: 'x'.repeat(5000),
      result: 'refused',
    })
    await log.close()
    const [file = ''] = segments()
    expect(lines(file).length).toBe(2)
    expect(parseChainLine(lines(file)[1]!)!.record).toMatchObject({ pusher: 'x'.repeat(budgets.audit.text.bound) })
    const { out } = await runHere(['audit', 'log', '--auditdir', auditdir, '--kind', 'push'])
    expect(out).not.toContain('\u001b')
  })

  it('is written by one server alone', async () => {
    await open()
    await expect(open()).rejects.toThrow(`Another process writes the audit log in ${auditdir}`)
  })

  it('removes old segments, and says where it begins then', async () => {
    await written(20, { audit_segment_size: 1500 })
    const [oldest = '', second = ''] = segments()
    utimesSync(oldest, new Date(0), new Date(0))
    await (await open({ audit_ttl: 3600 })).close()
    expect(existsSync(oldest)).toBe(false)
    const verdict = await verifyAuditLog(auditdir, localFiles)
    expect(verdict).toMatchObject({ problems: [], first: parseChainLine(lines(second)[0]!)!.record.seq })
    expect((await runHere(['audit', 'verify', '--auditdir', auditdir])).err).toMatch(
      /^Warning: Records 1 to \d+ are missing: their segments have been removed$/m,
    )
  })
})

describe('whoever changes the log', () => {
  it.each<[string, (all: string[]) => string[], string[]]>([
    ['edits a record', (all) => all.with(3, all[3]!.replace('n3.test', 'x3.test')), ['AUDIT_ALTERED 4']],
    [
      'edits a hash',
      (all) => all.with(3, all[3]!.replace(/^.{8}/, '00000000')),
      ['AUDIT_ALTERED 4', 'AUDIT_ALTERED 5'],
    ],
    ['removes a record', (all) => all.toSpliced(3, 1), ['AUDIT_ORDER 4']],
    ['adds one twice', (all) => all.toSpliced(3, 0, all[3]!), ['AUDIT_ORDER 5']],
    [
      'moves a record',
      (all) => [...all.slice(0, 2), all[3]!, all[2]!, ...all.slice(4)],
      ['AUDIT_ORDER 3', 'AUDIT_ORDER 4', 'AUDIT_ORDER 5'],
    ],
    ['cuts the beginning', (all) => all.slice(2), ['AUDIT_HEADING 1', 'AUDIT_ORDER 1']],
    ['writes something else', (all) => all.with(3, 'nothing'), ['AUDIT_UNREADABLE 4', 'AUDIT_ORDER 5']],
    [
      'swaps two numbers',
      (all) => all.with(2, all[3]!.replace('"seq":4', '"seq":3')),
      ['AUDIT_ALTERED 3', 'AUDIT_ALTERED 4'],
    ],
  ])('%s, and is found', async (_, change, found) => {
    await written(6)
    const [file = ''] = segments()
    write(file, change(lines(file)))
    expect(await problems()).toEqual(found)
    const { status, err } = await runHere(['audit', 'verify', '--auditdir', auditdir])
    expect(status).toBe(1)
    expect(err).toContain('audit-000000000001.log, line ')
  })

  it('cuts the end, and is found by a head that was kept elsewhere', async () => {
    await written(6)
    const { out } = await runHere(['audit', 'head', '--auditdir', auditdir])
    const [seq, hash = ''] = out.trim().split(' ')
    expect(seq).toBe('7')
    await written(3)
    const good = await runHere(['audit', 'verify', '--auditdir', auditdir, '--head', hash])
    expect(good).toMatchObject({ status: 0, err: '' })
    expect(good.out).toContain('The given head is record 7; 3 records follow it')
    const [file = ''] = segments()
    write(file, lines(file).slice(0, 5))
    expect(await problems()).toEqual([])
    expect(await problems(hash)).toEqual(['AUDIT_HEAD_MISSING'])
    const json = await runHere(['audit', 'verify', '--auditdir', auditdir, '--head', hash, '--render-as', 'json'])
    expect(json.status).toBe(1)
    expect(JSON.parse(json.out)).toMatchObject({ records: 5, problems: [{ code: 'AUDIT_HEAD_MISSING' }] })
  })

  it('removes, swaps or empties a segment, and is found', async () => {
    await written(20, { audit_segment_size: 1500 })
    const [, second = '', third = ''] = segments()
    const [a, b] = [readFileSync(second), readFileSync(third)]
    rmSync(second)
    expect(await problems()).toEqual(['AUDIT_ORDER 1'])
    writeFileSync(second, b)
    expect((await problems())[0]).toBe('AUDIT_HEADING 1')
    writeFileSync(second, '')
    expect(await problems()).toContain('AUDIT_HEADING 1')
    writeFileSync(second, a.subarray(0, -10))
    expect((await problems())[0]).toMatch(/AUDIT_UNREADABLE/)
    writeFileSync(second, a)
    expect(await problems()).toEqual([])
  })

  it('does not have it mended by a new start', async () => {
    await written(6)
    const [file = ''] = segments()
    write(file, lines(file).with(3, lines(file)[3]!.replace('n3.test', 'x3.test')))
    await written(2)
    expect(said).toEqual(["The audit log is damaged. Run 'plumb audit verify' to find the damaged record"])
    expect(await problems()).toEqual(['AUDIT_ALTERED 4'])
    expect(lines(file).length).toBe(9)
    write(file, lines(file).with(8, 'gone'))
    await written(1)
    expect(lines(file).length).toBe(10)
    expect(await problems()).toEqual(['AUDIT_ALTERED 4', 'AUDIT_UNREADABLE 9', 'AUDIT_ORDER 10'])
  })
})

describe('a log that was cut off', () => {
  it.each([1, 30, 64, 70, 200])('loses the %i bytes of its last line, and says so', async (bytes) => {
    await written(3)
    const [file = ''] = segments()
    const whole = readFileSync(file)
    appendFileSync(
      file,
      whole
        .subarray(-bytes - 1, -1)
        .toString()
        .replaceAll('\n', ' '),
    )
    expect(await verifyAuditLog(auditdir, localFiles)).toMatchObject({ unfinished: bytes, problems: [], records: 4 })
    await written(1)
    expect(said[0]).toContain('The last line of the audit log was incomplete')
    expect(await problems()).toEqual([])
    expect(parseChainLine(lines(file)[4]!)!.record).toMatchObject({ kind: 'mended', bytes })
  })

  it('is begun anew where its first line, or that of a segment, was', async () => {
    await written(3)
    const [first = ''] = segments()
    truncateSync(first, 20)
    await written(1)
    expect(await problems()).toEqual([])
    await written(20, { audit_segment_size: 1500 })
    for (const size of [20, 0]) {
      const last = segments().at(-1)!
      truncateSync(last, size)
      expect(await problems()).toEqual([])
      await written(1)
      await written(20, { audit_segment_size: 1500 })
      expect(await problems()).toEqual([])
    }
  })
})

beforeAll(() => {
  if (!existsSync(join(root, 'dist/store/audit/audit-log.js')))
    execFileSync('node', ['scripts/build.js'], { cwd: root })
})

const cannot = whyNotMount()

it.skipIf(cannot)(`a full disk has records wait, then be counted, and the chain goes on${cannot}`, () => {
  const script = join(import.meta.dirname, 'fill-disk.js')
  const mounted = 'mount -t tmpfs -o size=16m none /mnt && exec "$0" "$1" "$2" /mnt'
  const words = ['-m', 'sh', '-c', mounted, process.execPath, script, root]
  const { said, kept, lost, added, problems } = JSON.parse(execFileSync('unshare', words, { encoding: 'utf8' }))
  expect(said[0]).toBe('Could not write the audit log: No space left on device')
  expect(problems).toEqual([])
  expect(lost).toBeGreaterThan(0)
  expect(kept + lost).toBe(added)
})

describe('a server that is killed while it writes', () => {
  it('leaves a chain that goes on, each time', async () => {
    for (let round = 0; round < 6; round++) {
      const child = fork(join(import.meta.dirname, 'write-for-ever.js'), [root, auditdir, String(round)], {
        stdio: 'inherit',
      })
      while ((await once(child, 'message'))[0] < 5);
      // Wall clock: the moment of the kill is of no matter.
      await new Promise((done) => setTimeout(done, round * 7))
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      await written(1)
      expect(await problems()).toEqual([])
    }
    const { records, head } = await verifyAuditLog(auditdir, localFiles)
    expect(records).toBeGreaterThan(6 * 300)
    expect(head!.seq).toBe(records)
  })
})
