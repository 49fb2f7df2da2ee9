import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CliCommand } from '../../src/cli/command/command.ts'
import { commands } from '../../src/cli/commands.ts'
import { recordedRuns } from '../support/puppet-runs.ts'
import { recordedAnswers } from '../support/recorded-answers.ts'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')
const plumb = (line: string) => runHere(line === '' ? [] : line.split(' '))

/** Every command and action: the words that name it. */
const all = (await Promise.all(commands.map((each) => each.load()))).flatMap((each) => pathsOf(each))

function pathsOf(command: CliCommand, before: readonly string[] = []): { path: string; command: CliCommand }[] {
  const path = [...before, command.name]
  return [{ path: path.join(' '), command }, ...(command.commands ?? []).flatMap((each) => pathsOf(each, path))]
}

describe('plumb', () => {
  it('lists its commands', async () => {
    const { status, out } = await plumb('')
    expect(status).toBe(0)
    expect(out).toMatch(/^Usage: plumb <command>/)
    expect(out).toMatch(/^ {2}config +\w/m)
  })

  it.each(['--help', '-h', 'help', 'help help', 'help --help', 'help help help', '--help -h'])(
    'lists its commands with %s',
    async (line) => expect(await plumb(line)).toEqual(await plumb('')),
  )

  it.each([
    ['help config set', '--vardir /nowhere'],
    ['help config', '--environment=x --noop'],
    ['help', '--vardir /nowhere --confdir /nowhere'],
  ])('%s takes settings: %s', async (line, settings) => {
    const answer = await plumb(line)
    expect(answer.status).toBe(0)
    expect(await plumb(`${line} ${settings}`)).toEqual(answer)
  })

  it.each(all)('$path says what it is for, however it is asked', async ({ path, command }) => {
    const { status, out, err } = await plumb(`${path} --help`)
    expect([status, err]).toEqual([0, ''])
    expect(out).toMatch(new RegExp(`^Usage: plumb ${path} `))
    expect(out).toContain((command.description ?? command.summary).trim())
    for (const each of command.commands ?? []) expect(out).toContain(each.summary)
    expect(await plumb(`help ${path}`)).toEqual({ status, out, err })
    expect(await plumb(`help ${path} --help`)).toEqual({ status, out, err })
  })

  it.each(all)('$path refuses an unknown option with the status of a failure', async ({ path, command }) => {
    const { status, out, err } = await plumb(`${path} --vebrose`)
    expect([status, out]).toEqual([1, ''])
    expect(err).toBe(
      `Error: Could not parse application options: invalid option: --vebrose\n  Did you mean '--verbose'? See 'plumb help ${path}'.\n`,
    )
    if (command.run) return
    const { err: unknown, ...answer } = await plumb(`${path} nonsense`)
    expect(answer).toEqual({ status: 1, out: '' })
    expect(unknown).toBe(`Error: '${path}' has no 'nonsense' action.\n  See 'plumb help ${path}'.\n`)
    expect(await plumb(`help ${path} nonsense`)).toEqual({ status: 1, out: '', err: unknown })
  })

  it('ends as real Puppet does', async () => {
    const lines = ['nosuch', '--nosuch', 'agent --nosuch', 'config print --nosuch', 'config nosuch', 'config']
    const real = recordedRuns(puppet, Object.fromEntries(lines.map((line) => [line, line.split(' ')] as const)))
    for (const line of lines) expect([line, (await plumb(line)).status]).toEqual([line, real[line]!.exitCode])
  })

  it.each([
    ['confg', 1, /Unknown Puppet subcommand 'confg'\n {2}Did you mean 'config'\? See 'plumb help'\.\n/],
    ['help confg', 1, /Unknown Puppet subcommand 'confg'/],
    ['--confdir x agent', 1, /invalid option: --confdir\n {2}See 'plumb help'/],
    ['config prnt', 1, /'config' has no 'prnt' action\.\n {2}Did you mean 'print'\? See 'plumb help config'/],
    ['config print --nonsense=1', 1, /invalid option: --nonsense\n {2}See 'plumb help config print'/],
    ['config print --certnmae x', 1, /Did you mean '--certname'\?/],
    ['config print --no-rport', 1, /Did you mean '--no-report'\?/],
    ['config print --no-certname', 1, /invalid option: --no-certname/],
    ['config print --certname', 1, /Could not parse application options: missing argument: --certname\n/],
    ['config print --section', 1, /Could not parse application options: missing argument: --section\n/],
    ['catalog diff a', 1, /plumb catalog diff takes 2 arguments, but you gave 1\n {2}See 'plumb help catalog diff'/],
    ['agent now', 1, /plumb agent takes no arguments, but you gave 1/],
    ['code check a b', 1, /plumb code check takes at most 1 argument, but you gave 2/],
    ['node clean', 1, /plumb node clean takes at least 1 argument, but you gave 0/],
    ['catalog compile --node ../etc --code 1', 1, /Invalid key for catalog: "\.\.\/etc"/],
    ['catalog diff a b --node ../etc', 1, /Invalid key for catalog: "\.\.\/etc"/],
    ['config print certnme', 1, /Could not find setting 'certnme'\n {2}Did you mean 'certname'\?/],
    ['config explain certnme', 1, /Could not find setting 'certnme'\n {2}Did you mean 'certname'\?/],
    ['config print certname --runinterval soon', 1, /Invalid duration format '"soon"'[\s\S]*duration such as/],
    ['agent --noop false', 1, /plumb agent takes no arguments, but you gave 1/],
    ['agent --no', 1, /ambiguous option: --no\n {2}It may mean/],
  ])('%s fails with %i and a hint', async (line, status, message) => {
    const answer = await plumb(line)
    expect(answer.err).toMatch(message)
    expect(answer.status).toBe(status)
  })

  const withChoices = all.flatMap(({ path, command: { options = [] } }) =>
    options.flatMap(({ flags, choices }) => (choices ? { path, option: /--[\w-]+/.exec(flags)![0], choices } : [])),
  )

  it.each(withChoices)('$path refuses a word that $option does not take', async ({ path, option, choices }) => {
    const { status, out, err } = await plumb(`${path} ${option} nosuch`)
    const why = option === '--render-as' ? "I don't know how to render 'nosuch'" : `invalid argument: ${option} nosuch`
    expect([status, out]).toEqual([1, ''])
    expect(err).toBe(
      `Error: Could not parse application options: ${why}\n  Valid values of ${option}: ${choices.join(', ')}.\n`,
    )
  })

  it('has commands whose options take some words only', () => expect(withChoices.length).toBeGreaterThan(8))

  it('refuses unknown words after --render-as as real Puppet does', async () => {
    const lines = ['facts show', 'parser validate /dev/null'].map((line) => `${line} --render-as nosuch`)
    const words = lines.map((line) => [line, [...line.split(' '), '--color', 'false']] as const)
    for (const [line, { exitCode, stderr }] of Object.entries(recordedRuns(puppet, Object.fromEntries(words)))) {
      const { status, err } = await plumb(line)
      expect([line, status, err.split('\n')[0]]).toEqual([line, exitCode, stderr.trimEnd()])
    }
  })

  it.each(['agent --test --version', 'config -V print noop', 'parser validate --version', 'facts show a -V'])(
    'prints the version for %s',
    async (line) => expect(await plumb(line)).toEqual({ status: 0, out: (await plumb('--version')).out, err: '' }),
  )

  it('says that a section is not known, and prints values all the same, as Puppet does', async () => {
    const { status, out, err } = await plumb('config print --section agnt certname --certname a.test')
    expect([status, out]).toEqual([0, 'a.test\n'])
    expect(err).toBe("Warning: Unknown section 'agnt'; printing the values of main\n  Did you mean 'agent'?\n")
    expect((await plumb('config print --section master certname --certname a.test')).err).toBe('')
  })

  it.each(['--code 1', '--hiera h', '--manifest m', '--modulepath m', '--node n', '--facts f'])(
    'refuses %s beside --nodes',
    async (words) => {
      const { status, err } = await plumb(`catalog compile --nodes nodes.txt ${words}`)
      expect([status, err.split('\n')[0]]).toEqual([1, `Error: ${words.split(' ')[0]} cannot be given with --nodes`])
    },
  )

  it('prints settings as text and as JSON', async () => {
    expect((await plumb('config print certname --certname a.test')).out).toBe('a.test\n')
    expect((await plumb('config print server certname --certname a.test --server b.test')).out).toBe(
      'certname = a.test\nserver = b.test\n',
    )
    expect(JSON.parse((await plumb('config print noop --render-as json --noop')).out)).toEqual({ noop: 'true' })
  })

  it("takes Puppet's old name of a setting", async () => {
    expect((await plumb('config print serverport --masterport 18140')).out).toBe('18140\n')
    expect((await plumb('config print masterport --serverport=18140')).out).toBe('18140\n')
  })

  it('warns of an unknown setting in puppet.conf, whatever it is to do', async () => {
    const confdir = scratchFolder('program')
    writeFileSync(join(confdir, 'puppet.conf'), '[main]\nservr = puppet.test\n')
    const { status, out, err } = await plumb(`config print server --confdir ${confdir}`)
    expect([status, out]).toEqual([0, 'puppet\n'])
    expect(err).toBe(
      `Warning: Unknown setting 'servr' in section [main] of ${confdir}/puppet.conf is ignored\n  Did you mean 'server'?\n`,
    )
  })
})
