import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeAll, describe, expect, it } from 'vitest'
import { runCommandLine } from '../../../src/cli/program.ts'
import { type ControlRepository, controlRepository, gitIdentity } from '../../support/control-repository.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('catalog-bisect')
const facts = join(folder, 'facts.yaml')
writeFileSync(facts, 'role: web\n')
const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--facts', facts, '--node', 'web1']
const bisect = (repository: string, range: string, ...words: string[]) =>
  runHere(['catalog', 'bisect', range, '--repo', repository, ...places, ...words])

const motd = (text: string, more = '') => `file { '/etc/motd': content => '${text}', mode => '0644' }\n${more}`
const resource = ['--resource', 'File[/etc/motd]']

describe('plumb catalog bisect', () => {
  let code: ControlRepository
  const commits: Record<string, string> = {}

  beforeAll(() => {
    code = controlRepository()
    const push = (name: string, site: string, more: Record<string, string | undefined> = {}) => {
      commits[name] = code.push({ 'manifests/site.pp': site, ...more })
    }
    push('first', motd('a'))
    push('same', motd('a', '# a comment'))
    push('broken', motd('a', 'include nope'))
    push('unparsed', motd('b', 'class {'))
    push('b', motd('b'))
    push('secret', motd('b', "user { 'u': password => Sensitive('s3cret') }"))
    code.git('checkout', '--quiet', '-b', 'topic', commits['first']!)
    commits.topic = code.push({ 'data/x.yaml': 'x: 1' }, 'topic')
    code.git('checkout', '--quiet', 'production')
    push('changed', motd('b', "user { 'u': password => Sensitive('other') }"))
    push('more', motd('b', "user { 'u': password => Sensitive('other') }"), { 'data/y.yaml': 'y: 1' })
    push('gone', '')
  })

  it('finds the commit that changed a resource, and says how', async () => {
    expect(await bisect(code.bare, `${commits.b}..${commits.gone}`, ...resource)).toEqual({
      status: 0,
      out: `${commits.gone} is the commit that changed File[/etc/motd]
author:  Test
date:    ${new Date(Number(code.git('log', '-1', '--format=%ct', commits.gone!)) * 1000).toISOString()}
subject: A change

- File[/etc/motd]
3 catalogs compiled for 5 commits, 1 recalled, 0 commits skipped
`,
      err: '',
    })
  })

  it('passes over commits without a catalog, and names those of which one may be it', async () => {
    const { status, out } = await bisect(code.bare, `${commits.first}..${commits.b}`, ...resource)
    expect({ status, out }).toEqual({
      status: 1,
      out: `One of these 3 commits changed File[/etc/motd]; all but the last one failed to compile:
  ${commits.broken}
  ${commits.unparsed}
  ${commits.b}

~ File[/etc/motd]
    content: "a" => "b"
(file: /etc/plumb/code/environments/production/manifests/site.pp, line: 1)
4 catalogs compiled for 5 commits, 1 recalled, 2 commits skipped
`,
    })
  })

  it('gives the same to programs', async () => {
    const { out } = await bisect(
      code.bare,
      `${commits.first}..${commits.gone}`,
      ...resource,
      '--parameter',
      'content',
      '--render-as',
      'json',
    )
    const found = JSON.parse(out)
    expect(found).toMatchObject({ resource: 'File[/etc/motd]', parameter: 'content', commits: 9 })
    expect(found.change.changed.concat(found.change.removed).length).toBeGreaterThan(0)
    const one = JSON.parse(
      (await bisect(code.bare, `${commits.more}..${commits.gone}`, ...resource, '--render-as', 'json')).out,
    )
    expect(one).toEqual({
      resource: 'File[/etc/motd]',
      parameter: null,
      commit: { id: commits.gone, author: 'Test', subject: 'A change', time: expect.stringMatching(/^2\d{3}-.*Z$/) },
      candidates: [commits.gone],
      change: { added: [], removed: ['File[/etc/motd]'], changed: [] },
      file: null,
      line: null,
      commits: 2,
      compiled: 2,
      recalled: 0,
      skipped: [],
    })
  })

  it('shows the way on a terminal, and nothing of it at the end', async () => {
    const err: string[] = []
    const words = ['catalog', 'bisect', `${commits.b}..${commits.gone}`, '--repo', code.bare, ...places, ...resource]
    await runCommandLine(words, {
      stdin: new PassThrough(),
      out() {},
      err: (text) => void err.push(text),
      color: false,
      errTerminal: true,
    })
    expect(err[0]).toBe(`\r\u001b[KBisecting: 3 commits left, about 2 steps: ${commits.changed!.slice(0, 12)}`)
    expect(err.at(-1)).toBe('\r\u001b[K')
  })

  it('finds a change of a secret, and does not show it', async () => {
    const { status, out, err } = await bisect(
      code.bare,
      `${commits.secret}..${commits.more}`,
      '--resource',
      'user[u]',
      '--parameter',
      'password',
    )
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toContain(`${commits.changed} is the commit that changed 'password' of User[u]`)
    expect(out).toMatch(/password: "\[redacted [0-9a-f]{8}\]" => "\[redacted [0-9a-f]{8}\]"/)
    expect(out).not.toMatch(/s3cret|other/)
  })

  it.each([
    ['no range', 'production', resource, /'production' is not a range of commits/],
    ['three dots', 'production~1...production', resource, /is not a range of commits/],
    ['half a range', '..production', resource, /is not a range of commits/],
    ['an option', '--output=x..production', resource, /invalid option: --output/],
    ['no such commit', 'nope..production', resource, /nope/],
    ['no resource', 'production~1..production', [], /No resource given/],
    [
      'an unknown resource',
      'production~1..production',
      ['--resource', 'File[/etc/mot]'],
      /Could not find File\[\/etc\/mot\] in .*\n.*Did you mean 'File\[\/etc\/motd\]'/,
    ],
    ['what is no reference', 'production~1..production', ['--resource', 'motd'], /Could not find motd/],
    [
      'an unknown parameter',
      'production~1..production',
      [...resource, '--parameter', 'moed'],
      /has no parameter 'moed' in either catalog\n.*Did you mean 'mode'/,
    ],
    [
      'equal ends',
      'production~1..production~1',
      resource,
      /File\[\/etc\/motd\] is identical in 'production~1' and 'production~1'/,
    ],
    [
      'an equal parameter',
      'production~4..production~1',
      [...resource, '--parameter', 'mode'],
      /'mode' of File\[\/etc\/motd\] is identical/,
    ],
    ['a newer commit first', 'production..production~1', resource, /'production' is not a first-parent ancestor of/],
    [
      'a commit of another branch',
      'topic..production',
      resource,
      /'topic' is not a first-parent ancestor of 'production'\n.*first parents/,
    ],
    ['an end without a catalog', 'production~7..production~6', resource, /Could not find class ::nope/],
  ])('refuses %s', async (_, range, words, message) => {
    const { status, out, err } = await bisect(code.bare, range, ...words)
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err).toMatch(message)
  })
})

describe('a long history', () => {
  const bare = join(folder, 'long.git')
  const count = 10_000
  const change = 7321
  const ids: string[] = []

  beforeAll(() => {
    const git = (words: readonly string[], input = '') =>
      execFileSync('git', words, { env: { ...process.env, ...gitIdentity }, input, maxBuffer: 2 ** 30 }).toString()
    git(['init', '--quiet', '--bare', '--initial-branch=production', bare])
    const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
    const modules = Array.from({ length: 30 }, (_, at) => {
      const text = `class m${at} { file { '/m${at}': content => "\${lookup('count')}" } }\n`
      return `M 100644 inline modules/m${at}/manifests/init.pp\n${data(text)}`
    })
    const site = (text: string) =>
      `include ${Array.from({ length: 30 }, (_, at) => `m${at}`).join(', ')}\n${motd(text)}`
    const stream = Array.from({ length: count }, (_, at) => {
      const files = [`M 100644 inline data/common.yaml\n${data(`count: ${Math.floor(at / 2)}\n`)}`]
      if (at === 0) files.push(...modules, `M 100644 inline hiera.yaml\n${data('version: 5\n')}`)
      if (at === 0 || at === change)
        files.push(`M 100644 inline manifests/site.pp\n${data(site(at === 0 ? 'a' : 'b'))}`)
      return `commit refs/heads/production\ncommitter T <t@example.test> ${1_700_000_000 + at} +0000\n${data(`Commit ${at}`)}${files.join('')}`
    })
    git(['--git-dir', bare, 'fast-import', '--quiet'], `${stream.join('')}done\n`)
    ids.push(...git(['--git-dir', bare, 'rev-list', '--reverse', 'production']).trim().split('\n'))
  }, 60_000)

  it('of 10,000 commits is searched by a few catalogs', async () => {
    const { status, out } = await bisect(bare, `${ids[0]}..production`, ...resource, '--render-as', 'json')
    const found = JSON.parse(out)
    expect(status).toBe(0)
    expect(found.commit).toEqual({
      id: ids[change],
      author: 'T',
      subject: `Commit ${change}`,
      time: new Date((1_700_000_000 + change) * 1000).toISOString(),
    })
    expect(found.change.changed).toEqual([
      { resource: 'File[/etc/motd]', parameters: [{ name: 'content', from: 'a', to: 'b' }] },
    ])
    expect(found.commits).toBe(count)
    expect(found.compiled).toBeLessThanOrEqual(16)
  }, 60_000)

  it('is compiled only where it read what has changed', async () => {
    const of = (text: string) => ({ 'manifests/site.pp': motd(text) })
    const code = controlRepository()
    const commits = Array.from({ length: 16 }, (_, at) =>
      code.push({ ...of(at < 10 ? 'a' : 'b'), 'README.md': `Edition ${at}.` }),
    )
    const { out } = await bisect(code.bare, `${commits[0]}..production`, ...resource, '--render-as', 'json')
    const { commit, compiled, recalled } = JSON.parse(out)
    expect(commit.id).toBe(commits[10])
    expect(compiled).toBe(2)
    expect(recalled).toBeGreaterThanOrEqual(3)
  }, 60_000)

  it('is compiled once where it has the same files', async () => {
    const { out } = await bisect(bare, `${ids[0]}..${ids[change]}`, '--resource', 'File[/m1]', '--render-as', 'json')
    const { commit, compiled } = JSON.parse(out)
    expect(ids.indexOf(commit.id) % 2).toBe(0)
    expect(compiled).toBeLessThanOrEqual(14)
  }, 60_000)
})
