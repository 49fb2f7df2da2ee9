import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execaSync } from 'execa'
import { beforeAll, describe, expect, it } from 'vitest'
import { runToEnd } from '../../../src/base/threads/cooperative-tasks.ts'
import { chooseEnvironments, chooseEnvironmentsInSlices } from '../../../src/deploy/sources/environment-choice.ts'
import { listEnvironmentMoves } from '../../../src/deploy/sources/environment-moves.ts'
import { readSources } from '../../../src/deploy/sources/sources-file-parser.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { without } from '../../support/needs.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const defaults = { intervalMs: 1, timeoutMs: 1, maxBytes: 1, webhookSecretFile: undefined }
const sourcesOf = (text: string) => readSources(text, 'r10k.yaml', defaults).sources
const commit = (digit: string) => digit.repeat(40)
/** Refs by short names (`main/heads/x`), each with a commit of one digit. */
const refs = (named: Record<string, string>) =>
  new Map(Object.entries(named).map(([ref, digit]) => [`refs/plumb/sources/${ref}`, commit(digit)]))
/** `ENVIRONMENT = SOURCE REF DIGIT` of each. */
const chosen = (text: string, named: Record<string, string>) => {
  const { chosen, held, warnings } = runToEnd(chooseEnvironmentsInSlices(sourcesOf(text), refs(named)))
  const lines = [...chosen].map(([name, { source, ref, commit }]) => `${name} = ${source} ${ref} ${commit[0]}`)
  return { lines: lines.sort(), held: [...held], warnings: [...warnings.values()].flat() }
}

describe('environments of sources', () => {
  it.each<[string, string, Record<string, string>, string[], RegExp[]]>([
    ['all branches, and no tag', 'a: {remote: /a}', { 'a/heads/x': '1', 'a/tags/v1': '2' }, ['x = a heads/x 1'], []],
    [
      'globs of refs, tags among them',
      'a: {remote: /a, refs: [main, "release/*", "!release/0*", "tags/v*"]}',
      {
        'a/heads/main': '1',
        'a/heads/release/1.0': '2',
        'a/heads/release/0.9': '3',
        'a/heads/x': '4',
        'a/tags/v1.2': '5',
        'a/tags/w': '6',
      },
      ['main = a heads/main 1', 'release_1_0 = a heads/release/1.0 2', 'v1_2 = a tags/v1.2 5'],
      [/release\/1.0 is served as environment release_1_0/, /^The tag v1.2 is served as environment v1_2/],
    ],
    [
      'all but some',
      'a: {remote: /a, refs: ["!wip/*"]}',
      { 'a/heads/x': '1', 'a/heads/wip/y': '2' },
      ['x = a heads/x 1'],
      [],
    ],
    [
      'what is named, and nothing else',
      `a: {remote: /a, environments: {production: v1, staging: main, old: "${commit('9')}"}}`,
      { 'a/heads/main': '1', 'a/tags/v1': '2', [`a/commits/${commit('9')}`]: '9' },
      [`old = a commits/${commit('9')} 9`, 'production = a tags/v1 2', 'staging = a heads/main 1'],
      [],
    ],
    [
      'a branch before a tag of the same name, and the tag by its whole name',
      'a: {remote: /a, environments: {one: x, two: tags/x}}',
      { 'a/heads/x': '1', 'a/tags/x': '2' },
      ['one = a heads/x 1', 'two = a tags/x 2'],
      [],
    ],
    [
      'what is named comes before a branch of that name',
      'a: {remote: /a, refs: ["*"], environments: {production: v1}}',
      { 'a/heads/production': '1', 'a/tags/v1': '2' },
      ['production = a tags/v1 2'],
      [/^production cannot be served: the environment production already belongs to tags\/v1$/],
    ],
    [
      'the branch that has the very name, else the first by name',
      'a: {remote: /a}',
      { 'a/heads/team-a': '1', 'a/heads/team_a': '2', 'a/heads/x.y': '3', 'a/heads/x-y': '4' },
      ['team_a = a heads/team_a 2', 'x_y = a heads/x-y 4'],
      [
        /team-a cannot be served: the environment team_a already belongs to team_a/,
        /x.y cannot be served: the environment x_y already belongs to x-y/,
        /x-y is served/,
      ],
    ],
    [
      'the source that stands first, whichever has the very name',
      'b: {remote: /b}\n  a: {remote: /a}',
      { 'a/heads/production': '1', 'b/heads/production': '2', 'a/heads/only': '3' },
      ['only = a heads/only 3', 'production = b heads/production 2'],
      [/^production cannot be served: the environment production already belongs to production of source b$/],
    ],
  ])('%s', (_, text, named, lines, warnings) => {
    const found = chosen(`sources:\n  ${text}`, named)
    expect(found.lines).toEqual(lines)
    for (const warning of warnings) expect(found.warnings).toContainEqual(expect.stringMatching(warning))
    expect(found.warnings).toHaveLength(warnings.length)
    // Whatever the order in which refs are listed.
    const turned = Object.fromEntries(Object.entries(named).reverse())
    expect(chosen(`sources:\n  ${text}`, turned)).toEqual(found)
  })

  it('says only some of a thousand clashes', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`a/heads/x${'-.'[at % 2]}${at}`, '1']))
    const clashing = Object.fromEntries(Object.keys(many).map((ref) => [ref.replace(/\d+$/, ''), '1']))
    expect(chosen('sources: {a: {remote: /a}}', { ...many, ...clashing }).warnings).toHaveLength(51)
  })

  it('looks at few refs of tens of thousands in one slice, and other work has its turn between slices', async () => {
    const counts = { looked: 0, most: 0, slices: 0 }
    /** Refs that are counted as they are looked at. */
    class Counted extends Map<string, string> {
      override *[Symbol.iterator](): MapIterator<[string, string]> {
        for (const entry of this.entries()) {
          counts.looked++
          yield entry
        }
      }
    }
    const sources = sourcesOf('sources:\n  a: {remote: /a, refs: ["*", "tags/v*"]}\n  b: {remote: /b, prefix: true}')
    const many = Array.from({ length: 20_000 }, (_, at) => `${'ab'[at % 2]}/heads/feature/x-${(at * 7919) % 20_000}`)
    const all = new Counted(refs(Object.fromEntries(many.map((ref) => [ref, '1']))))
    const work = chooseEnvironmentsInSlices(sources, all)
    for (let before = 0, step = work.next(); !step.done; before = counts.looked, step = work.next()) {
      counts.slices++
      counts.most = Math.max(counts.most, counts.looked - before)
    }
    expect(counts.looked).toBe(40_000)
    expect(counts.most).toBeLessThanOrEqual(400)
    expect(counts.slices).toBeGreaterThan(300)
    let turns = 0
    const clock = setInterval(() => turns++, 0)
    const { chosen } = await chooseEnvironments(sources, all)
    clearInterval(clock)
    expect([...chosen]).toEqual([...runToEnd(chooseEnvironmentsInSlices(sources, all)).chosen])
    expect(chosen.size).toBe(20_000)
    expect(turns).toBeGreaterThan(1)
  })

  it('stays as it is where what is named is gone, what is frozen, and what may be of a source that is away', () => {
    const text = 'sources:\n  a: {remote: /a, refs: ["*"], environments: {production: v1}}'
    const named = refs({ 'a/heads/dev': '1', 'a/heads/new': '2', 'a/heads/ice': '3' })
    const choice = runToEnd(chooseEnvironmentsInSlices(sourcesOf(text), named))
    const now = new Map([
      ['production', commit('7')],
      ['dev', commit('8')],
      ['gone', commit('8')],
      ['ice', commit('8')],
      ['iceberg', commit('8')],
    ])
    const frozen = new Set(['ice', 'iceberg'])
    const moves = (holds: object) =>
      listEnvironmentMoves(choice, now, { frozen, isLocked: false, mayGo: () => true, ...holds }).map(
        ({ ref, to }) => `${ref} ${to?.[0]}`,
      )
    expect(moves({})).toEqual(['refs/heads/dev 1', 'refs/heads/new 2', 'refs/heads/gone undefined'])
    expect(moves({ mayGo: () => false })).toEqual(['refs/heads/dev 1', 'refs/heads/new 2'])
    expect(moves({ isLocked: true })).toEqual([])
  })
})

const branches = [
  'production',
  'main',
  'feature/one',
  'feature/two-three',
  'hotfix-1.2',
  'release.2024',
  'release.2025.1',
  'wip_x',
  'wip/y',
  'test',
  'testing/z',
  'UPPER-Case',
  'a_b',
  '1st',
  'über/straße',
  'dots.and/slashes-and_more',
  'under_score_',
  'x+y',
  'user@host',
]

describe(`the same file for r10k${without('r10k')}`, () => {
  let origin: ControlRepository
  let folder: string
  beforeAll(() => {
    folder = scratchFolder('r10k')
    origin = controlRepository({ Puppetfile: '', 'manifests/site.pp': '' })
    for (const branch of branches.slice(1)) origin.git('branch', branch)
    origin.git('push', '--quiet', 'origin', '--all')
  })

  /** Runs real r10k with the keys of a source. */
  const r10k = (keys: string, ...words: string[]) => {
    mkdirSync(join(folder, 'environments'), { recursive: true })
    const lines = keys.split('\n').map((line) => `    ${line}\n`)
    const source = `    remote: ${origin.bare}\n    basedir: ${join(folder, 'environments')}\n${lines.join('')}`
    const text = `---\ncachedir: ${join(folder, 'cache')}\nsources:\n  my_source:\n${source}`
    const file = join(folder, 'r10k.yaml')
    writeFileSync(file, text)
    const { stdout } = execaSync('r10k', ['deploy', ...words, '-c', file], { env: { HOME: folder, LANG: 'C.UTF-8' } })
    return { text, stdout }
  }
  const ours = (text: string) => {
    const listed = origin.gitBare('for-each-ref', '--format=%(refname:short)', 'refs/heads/').split('\n')
    return new Set(
      chosen(text, Object.fromEntries(listed.map((branch) => [`my_source/heads/${branch}`, '1']))).lines.map(
        (line) => line.split(' ')[0],
      ),
    )
  }

  it.each([
    '',
    'prefix: true',
    'prefix: false',
    'prefix: team',
    "prefix: ''",
    'invalid_branches: correct',
    'invalid_branches: correct_and_warn',
    'invalid_branches: error',
    'invalid_branches: error\nprefix: true',
    "ignore_branch_prefixes: ['wip', 'test']",
    "ignore_branch_prefixes: ['wip/', 'feature.']",
    "ignore_branch_prefixes: ['release.', 'UPPER']\nprefix: x",
    'ignore_branch_prefixes: []',
    "strip_component: 'feature/'",
    "strip_component: 'release.'\nprefix: true",
    'strip_component: "/^(feature|release)[.\\\\/]/"',
    'strip_component: "/[aeiou]/"\ninvalid_branches: error',
    'strip_component: false',
    "invalid_branches: error\nignore_branch_prefixes: ['1']\nstrip_component: 'hotfix-'",
  ])('has the same environments with %j', (keys) => {
    const { text, stdout } = r10k(keys, 'display', '--fetch', '--format', 'json')
    const { sources } = JSON.parse(stdout.slice(stdout.indexOf('{\n')))
    expect(ours(text)).toEqual(new Set(sources[0].environments))
  })

  it('has the same folders as r10k makes', () => {
    const { text } = r10k('prefix: true\nignore_branch_prefixes: [wip]', 'environment')
    expect(ours(text)).toEqual(new Set(readdirSync(join(folder, 'environments'))))
  })
})
