import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LogLine } from '../../../src/node/agent/log.ts'
import { openLog } from '../../../src/node/agent/log-destinations.ts'
import { noModules } from '../../support/real-puppet.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')
const folder = scratchFolder('logs')
const own = (name: string) => join(folder, name)
const notice = (message: string): LogLine => ({ level: 'notice', message })

/** Writes lines to some destinations; what the console got. */
async function log(logdest: string, lines: readonly LogLine[], facility: 'daemon' | 'local3' = 'daemon') {
  const console: string[] = []
  const say = (text: string) => void console.push(text)
  const open = await openLog({
    logdest,
    syslogfacility: facility,
    least: 'info',
    name: 'puppet-agent',
    console: { out: say, err: say, color: false },
    now: () => Date.UTC(2026, 10, 22, 17, 3, 9, 120),
  })
  for (const line of lines) open.write(line)
  await open.close()
  return console.join('')
}

describe('a log in a file', () => {
  it('has the time, who speaks and the level of each line, and no line that only looks like one', async () => {
    const lines: LogLine[] = [
      { level: 'err', source: '/Stage[main]/Main/File[/x]', message: 'Could not evaluate: no' },
      notice('one\n2026-11-22 17:03:09 +0000 Puppet (notice): forged\u001b[2J'),
      { level: 'debug', message: 'not at this level' },
    ]
    const file = own('new/folder/agent.log')
    expect(await log(file, lines)).toBe('')
    const time = /^2026-11-2[23] \d\d:\d\d:09 [+-]\d{4}$/
    const written = readFileSync(file, 'utf8').split('\n')
    expect(
      written.map((line) => line.replace(/^[\d-]{10} [\d:]{8} [+-]\d{4}/, (each) => (time.test(each) ? 'TIME' : each))),
    ).toEqual([
      'TIME /Stage[main]/Main/File[/x] (err): Could not evaluate: no',
      'TIME Puppet (notice): one',
      '  2026-11-22 17:03:09 +0000 Puppet (notice): forged\\x1b[2J',
      '',
    ])
    expect(statSync(file).mode & 0o777).toBe(0o640)
  })

  it('has the error of code that does not compile, which is printed nowhere else', async () => {
    const words = ['apply', '-e', 'include nope', '--confdir', own('etc'), '--vardir', own('var'), '--certname', 'vm']
    const file = own('compile.log')
    const { status, err } = await runHere([...words, '--logdest', file])
    const why = 'Evaluation Error: Error while evaluating a Function Call, Could not find class ::nope for vm'
    expect([status, err]).toEqual([1, ''])
    expect(readFileSync(file, 'utf8')).toContain(`Puppet (err): ${why}`)
  })

  it.each([
    ['Europe/Berlin', '2026-11-22 18:03:09 +0100'],
    ['America/St_Johns', '2026-11-22 13:33:09 -0330'],
    ['UTC', '2026-11-22 17:03:09 +0000'],
  ])('has the time of the zone of the machine: %s', async (zone, time) => {
    const before = process.env['TZ']
    process.env['TZ'] = zone
    await log(own('zones.log'), [notice(zone)])
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
    expect(readFileSync(own('zones.log'), 'utf8')).toContain(`${time} Puppet (notice): ${zone}\n`)
  })

  it('goes on in a new file when the old one is moved away, and says once when it cannot', async () => {
    const file = own('moved/agent.log')
    const console: string[] = []
    const say = (text: string) => void console.push(text)
    const open = await openLog({
      ...{ logdest: `${file}, console`, syslogfacility: 'daemon', least: 'info', name: 'puppet-agent', now: Date.now },
      console: { out: say, err: say, color: false },
    })
    open.write(notice('first'))
    renameSync(file, `${file}.1`)
    open.write(notice('second'))
    rmSync(own('moved'), { recursive: true })
    open.write(notice('third'))
    open.write(notice('fourth'))
    mkdirSync(own('moved'))
    open.write(notice('fifth'))
    await open.close()
    expect(readFileSync(file, 'utf8')).toMatch(/^\S+ \S+ \S+ Puppet \(notice\): fifth\n$/)
    expect(console).toEqual([
      'Notice: first\n',
      'Notice: second\n',
      `Error: Could not log to ${file}: No such file or directory - ${file}\n`,
      'Notice: third\n',
      'Notice: fourth\n',
      'Notice: fifth\n',
    ])
  })

  it('is JSON where its name says so', async () => {
    const lines: LogLine[] = [
      notice('one'),
      { level: 'err', message: 'two', source: '/x', tags: ['a'], file: 'f', line: 3 },
    ]
    await log(`${own('a.json')},${own('a.jsonl')}`, lines.slice(0, 1))
    await log(`${own('a.json')},${own('a.jsonl')}`, lines.slice(1))
    const rows = readFileSync(own('a.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row))
    const time = '2026-11-22T17:03:09.120000000+00:00'
    expect(rows).toEqual([
      { level: 'notice', message: 'one', source: 'Puppet', tags: ['notice'], time },
      { level: 'err', message: 'two', source: '/x', tags: ['err', 'a'], time, file: 'f', line: 3 },
    ])
    expect(JSON.parse(`${readFileSync(own('a.json'), 'utf8')}]`)).toEqual(rows)
  })
})

describe('a log that cannot be opened', () => {
  it.each([
    ['agent.log', 'Unknown destination type agent.log'],
    ['eventlog', 'Unknown destination type eventlog'],
    ['/dev/null/agent.log', 'File exists - /dev/null'],
  ])('stops the run before it begins: %s', async (logdest, why) => {
    const words = ['apply', '-e', 'notify { "x": }', '--confdir', own('etc'), '--vardir', own('var')]
    const { status, out, err } = await runHere([...words, '--logdest', `console,${logdest}`])
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err).toContain(`Error: Could not set logdest to console,${logdest}.\n  ${why}`)
    expect(err).toContain('Set logdest to console, syslog, journald, eventlog or absolute paths of files')
  })
})

const hasLogger = (process.env.PATH ?? '').split(delimiter).some((each) => existsSync(join(each, 'logger')))
const withoutLogger = hasLogger ? '' : ' (left out: the program logger is not installed)'

describe.skipIf(!hasLogger)(`a log in syslog${withoutLogger}`, () => {
  const path = process.env['PATH']
  const bin = own('bin')
  const chunks: Buffer[] = []
  /** A syslog of our own: the system's is not for a test to write to. */
  const syslog = createServer((socket) => socket.on('data', (chunk) => chunks.push(chunk)))

  beforeAll(async () => {
    mkdirSync(bin)
    const script = `#!/bin/sh\nPATH=${JSON.stringify(path)} exec logger --socket ${own('socket')} "$@"\n`
    writeFileSync(join(bin, 'logger'), script)
    chmodSync(join(bin, 'logger'), 0o755)
    process.env['PATH'] = `${bin}${delimiter}${path}`
    await once(syslog.listen(own('socket')), 'listening')
  })
  afterAll(() => {
    process.env['PATH'] = path
    syslog.close()
  })

  /** What came, without the time, and the host that some versions of `logger` add. */
  async function sentBy(lines: readonly LogLine[], facility: 'daemon' | 'local3' = 'daemon'): Promise<string[]> {
    chunks.splice(0)
    const over = once(syslog, 'connection').then(([socket]: Socket[]) => once(socket!, 'close'))
    expect(await log('syslog', lines, facility)).toBe('')
    await over
    const rows = Buffer.concat(chunks).toString().trimEnd().split('\n')
    return rows.map((row) => row.replace(/^(<\d+>)\w{3} [ \d]\d [\d:]{8} (?:\S+ )?(?=puppet-agent)/, '$1'))
  }

  it('has the level, the facility and the process of each line', async () => {
    const by = `puppet-agent[${process.pid}]:`
    const lines: LogLine[] = [
      notice('one\n\n<0>two\u001b[2J'),
      { level: 'err', source: '/Stage[main]/Main/File[/x]', message: '100% wrong' },
      { level: 'crit', message: 'badly' },
      { level: 'debug', message: 'not at this level' },
    ]
    expect(await sentBy(lines)).toEqual([
      `<29>${by} one`,
      `<29>${by} <0>two\\x1b[2J`,
      `<27>${by} (/Stage[main]/Main/File[/x]) 100% wrong`,
      `<26>${by} badly`,
    ])
    expect(await sentBy(lines.slice(2, 3), 'local3')).toEqual([`<154>${by} badly`])
  })

  it('has every line of a long run, and long ones whole', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => notice(`line ${index}`))
    expect(await sentBy(lines)).toHaveLength(5000)
    const long = 'y'.repeat(8000)
    expect((await sentBy([notice(long)])).join('')).toContain(long)
  })

  it('says once why lines are lost, and goes on', async () => {
    writeFileSync(
      join(bin, 'logger'),
      '#!/bin/sh\necho "logger: socket /dev/log: No such file or directory" >&2\nexit 1\n',
    )
    const lines = Array.from({ length: 100 }, (_, index) => notice(`line ${index}`))
    const said = await log('syslog', lines)
    expect(said).toBe('Error: Could not log to syslog: logger: socket /dev/log: No such file or directory\n')
  })
})

describe("a log in a file is as real Puppet's", () => {
  const code = 'notify { "one": } notify { "two": message => "a\\nb", loglevel => warning } exec { "/bin/false": }'
  const cleaned = (text: string) =>
    text
      .replace(/^[\d-]{10} [\d:]{8} [+-]\d{4} /gm, 'TIME ')
      .replace(/"time":"[^"]*"/g, '"time":"TIME"')
      .replace(/in \d+\.\d+ seconds/g, 'in N seconds')
      // Ours indents further lines of a message: docs/differences.md.
      .replace(/^ {2}/gm, '')
      .split('\n')
      .filter((line) => line !== '' && !/Compiled catalog|Facter|^\s*\^|^\s*lines\.|version\.gsub/.test(line))

  it('in lines', async () => {
    const [real, ours] = [own('real.log'), own('ours.log')]
    const places = ['--confdir', own('etc'), '--vardir', own('var'), '--certname', 'vm']
    // Real Puppet gives its vardir to the user puppet, where there is one; ours then refuses it.
    const words = ['apply', ...places, '--vardir', own('their-var'), ...noModules, '--logdest', real, '-e', code]
    const lines = puppet.one('lines', words, () => {
      spawnSync('puppet', words)
      return cleaned(readFileSync(real, 'utf8'))
    })
    const { status, out, err } = await runHere(['apply', ...places, '--logdest', ours, '-e', code])
    expect({ status, out, err }).toEqual({ status: 0, out: '', err: '' })
    expect(cleaned(readFileSync(ours, 'utf8'))).toEqual(lines)
  })
})
