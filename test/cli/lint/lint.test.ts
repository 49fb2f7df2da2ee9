import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkNames } from '../../../src/workbench/lint/options/lint-options.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** A folder with files. */
function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = scratchFolder('lint')
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

const lint = (...words: readonly string[]) => runHere(['lint', '--no-config', ...words])

const warning = '# A.\nclass a { $x = "y" }\n'
const error = '# A.\nclass a {\t$x = 1 }\n'

describe('plumb lint', () => {
  it('prints problems, and exits with 1 for errors', async () => {
    const folder = folderWith({ 'a/manifests/init.pp': error })
    const file = join(folder, 'a/manifests/init.pp')
    expect(await lint(file)).toEqual({
      status: 1,
      out: 'ERROR: tab character found on line 2 (check: hard_tabs)\n',
      err: '',
    })
  })

  it('prints the path if there are several files', async () => {
    const folder = folderWith({ 'a/manifests/init.pp': warning, 'data/x.yaml': "a: '%{::osfamily}'\n" })
    expect(await lint(folder)).toEqual({
      status: 0,
      out: [
        `${folder}/a/manifests/init.pp - WARNING: double quoted string containing no variables on line 2 (check: double_quoted_strings)`,
        `${folder}/data/x.yaml - WARNING: legacy fact 'osfamily' on line 1 (check: legacy_facts)`,
        '',
      ].join('\n'),
      err: '',
    })
  })

  it.each<[string, readonly string[], number, string]>([
    ['warnings as failures', ['--fail-on-warnings'], 1, 'WARNING: double quoted string'],
    ['errors only', ['--error-level', 'error'], 0, ''],
    ['without a check', ['--no-double_quoted_strings-check'], 0, ''],
    ['with named checks', ['--only-checks', 'hard_tabs'], 0, ''],
    [
      'with a format',
      ['--log-format', '%{line}:%{column}:%{KIND}:%{check}:%%'],
      0,
      '2:16:WARNING:double_quoted_strings:%\n',
    ],
    ['with the line', ['--with-context', '--with-filename'], 0, '\n  class a { $x = "y" }\n                 ^\n'],
    ['with an optional check', ['--code_on_top_scope-check', '--only-checks', 'hard_tabs'], 0, ''],
  ])('runs %s', async (_, words, status, out) => {
    const folder = folderWith({ 'a/manifests/init.pp': warning })
    const answer = await lint(...words, join(folder, 'a/manifests/init.pp'))
    expect(answer.status).toBe(status)
    if (out === '') expect(answer.out).toBe('')
    else expect(answer.out).toContain(out)
  })

  it('corrects files, keeps their mode, and follows links', async () => {
    const folder = folderWith({ 'a/manifests/init.pp': error, 'same.pp': '# B.\n' })
    const file = join(folder, 'a/manifests/init.pp')
    const link = join(folder, 'link.pp')
    symlinkSync(file, link)
    const { mode } = statSync(file)
    const before = statSync(join(folder, 'same.pp')).mtimeMs
    expect(await lint('--fix', '--only-checks', 'hard_tabs', link, join(folder, 'same.pp'))).toMatchObject({
      status: 0,
    })
    expect(readFileSync(file, 'utf8')).toBe(error.replace('\t', '  '))
    expect(readFileSync(link, 'utf8')).toBe(error.replace('\t', '  '))
    expect([statSync(file).mode, statSync(join(folder, 'same.pp')).mtimeMs]).toEqual([mode, before])
  })

  it('changes no file with a syntax error, no invalid UTF-8 and no YAML', async () => {
    const files = { 'a.pp': '\tclass a { ^ }', 'b.pp': Buffer.from([0x09, 0xff]), 'c.yaml': "a: '%{::osfamily}'\n" }
    const folder = folderWith(files)
    const { status, out } = await lint('--fix', folder)
    expect(status).toBe(1)
    expect(out).toContain('b.pp - ERROR: Syntax error (invalid UTF-8) on line 1 (check: syntax)')
    for (const [name, content] of Object.entries(files))
      expect(readFileSync(join(folder, name))).toEqual(Buffer.from(content))
  })

  it('corrects no read-only file', async () => {
    const folder = folderWith({ 'a.pp': '\t$x = 1\n' })
    chmodSync(join(folder, 'a.pp'), 0o444)
    const words = ['--fix', '--only-checks', 'hard_tabs', join(folder, 'a.pp')]
    expect(await lint(...words)).toEqual({
      status: 1,
      out: `ERROR: file not corrected: ${folder}/a.pp is read-only on line 1 (check: file)\nERROR: tab character found on line 1 (check: hard_tabs)\n`,
      err: '',
    })
    expect(readFileSync(join(folder, 'a.pp'), 'utf8')).toBe('\t$x = 1\n')
  })

  it('corrects no file that a link in a folder leads to', async () => {
    const folder = folderWith({ 'outside.pp': '\t$x = 1\n', 'module/a.pp': '\t$x = 1\n' })
    symlinkSync(join(folder, 'outside.pp'), join(folder, 'module/link.pp'))
    const words = ['--only-checks', 'hard_tabs', '--log-format', '%{KIND} %{filename}', join(folder, 'module')]
    expect((await lint(...words)).out).toBe('ERROR a.pp\nERROR link.pp\n')
    expect((await lint('--fix', ...words)).out).toBe('FIXED a.pp\n')
    expect(readFileSync(join(folder, 'outside.pp'), 'utf8')).toBe('\t$x = 1\n')
  })

  it('reports a missing file, and checks the others', async () => {
    const folder = folderWith({ 'b.pp': '\t$x = 1\n' })
    symlinkSync('/nonexistent', join(folder, 'a.pp'))
    const words = ['--only-checks', 'hard_tabs', folder]
    expect(await lint('--log-format', '%{filename} %{check} %{message}', ...words)).toEqual({
      status: 1,
      out: 'a.pp file specified file does not exist\nb.pp hard_tabs tab character found\n',
      err: '',
    })
    expect(JSON.parse((await lint('--json', ...words)).out)).toMatchObject([
      [{ check: 'file' }],
      [{ check: 'hard_tabs' }],
    ])
    const { out } = await lint('--sarif', join(folder, 'nosuch.pp'))
    expect(JSON.parse(out).runs[0].results).toMatchObject([{ ruleId: 'file', level: 'error' }])
  })

  it('prints a path with a line break on one line', async () => {
    const folder = folderWith({ 'a\nERROR: b.pp': '\t$x = "1"\n# lint:endignore\n' })
    const { out, err } = await lint('--only-checks', 'hard_tabs', '--with-filename', folder)
    expect(out).toBe(`${folder}/a\\x0aERROR: b.pp - ERROR: tab character found on line 1 (check: hard_tabs)\n`)
    expect(err).toMatch(/^WARNING: .*\n$/)
  })

  it('reads rc files, and then the command line', async () => {
    const rc =
      '# comment\n--only-checks=hard_tabs,double_quoted_strings\n--fail-on\n--no-unknown-check\n--log-format\n%{check}\n'
    const folder = folderWith({ 'a/manifests/init.pp': warning, rc })
    const file = join(folder, 'a/manifests/init.pp')
    expect(await runHere(['lint', '--config', join(folder, 'rc'), file])).toEqual({
      status: 1,
      out: 'double_quoted_strings\n',
      err: '',
    })
    expect(await runHere(['lint', '-c', join(folder, 'rc'), '--no-double_quoted_strings-check', file])).toMatchObject({
      status: 0,
      out: '',
    })
  })

  it.each<[string, string, string]>([
    ['an unknown option', '--nosuch', 'invalid option: --nosuch'],
    ['a missing value', '--log-format', 'missing argument: --log-format'],
    ['an unknown check', '--only-checks=typo', "unknown check 'typo'"],
    ['a wrong value', '--error-level=none', 'invalid argument: --error-level none'],
    ['a file that includes itself', '-c\nrc', 'are included with --config'],
  ])('rejects an rc file with %s', async (_, text, message) => {
    const folder = folderWith({ rc: text.replace('\nrc', '') })
    const file = join(folder, 'rc')
    if (text.endsWith('rc')) writeFileSync(file, `-c\n${file}\n`)
    const { status, err } = await runHere(['lint', '--config', file, 'x.pp'])
    expect([status, err]).toEqual([1, expect.stringContaining(message)])
  })

  it.each<[string, readonly string[], string]>([
    ['no file', [], 'no file specified'],
    ['an unknown check', ['--only-checks', 'hard_tab', '.'], "unknown check 'hard_tab'\n  Did you mean 'hard_tabs'?"],
    ['no check', ['--only-checks', ',', '.'], '--only-checks: no check given'],
    ['an unknown option', ['--nosuch', 'x'], 'invalid option: --nosuch'],
    ['an unknown placeholder', ['--log-format', '%{nosuch}', '.'], 'unknown placeholder %{nosuch}'],
  ])('rejects %s', async (_, words, message) => {
    const { status, err } = await lint(...words)
    expect([status, err]).toEqual([1, expect.stringContaining(message)])
  })

  it('lists the checks', async () => {
    expect(await lint('--list-checks')).toEqual({
      status: 0,
      out: checkNames.map((name) => `${name}\n`).join(''),
      err: '',
    })
  })

  it('skips ignored paths, hidden folders and links to folders', async () => {
    const files = ['vendor/a/b.pp', 'x/skip.pp', '.git/c.pp', 'd/e.pp', 'd.pp', 'd/f/g.pp']
    const folder = folderWith(Object.fromEntries(files.map((name) => [name, '\t'])))
    symlinkSync(join(folder, 'd'), join(folder, 'link'))
    const words = ['--only-checks', 'hard_tabs', '--log-format', '%{path}', '--ignore-paths', '*/vendor/*,*skip*']
    const { out } = await lint(...words, folder)
    expect(out).toBe(['d/e.pp', 'd/f/g.pp', 'd.pp'].map((name) => `${folder}/${name}\n`).join(''))
  })
})

describe('the rc file of the current folder', () => {
  /** Runs in a folder, with its rc file. */
  async function lintIn(folder: string, ...words: readonly string[]) {
    const before = process.cwd()
    process.chdir(folder)
    try {
      return await runHere(['lint', ...words])
    } finally {
      process.chdir(before)
    }
  }

  it.each<[string, string]>([
    ['of itself', '--fix\n--only-checks=hard_tabs\n'],
    ['of a file that it includes', '--config=other\n--only-checks=hard_tabs\n'],
  ])('corrects nothing because %s', async (_, rc) => {
    const folder = folderWith({ 'a.pp': '\t$x = 1\n', '.puppet-lint.rc': rc, other: '-f\n' })
    expect(await lintIn(folder, 'a.pp')).toEqual({
      status: 1,
      out: 'ERROR: tab character found on line 1 (check: hard_tabs)\n',
      err: 'Warning: .puppet-lint.rc: --fix is ignored\n  Use --fix on the command line.\n',
    })
    expect((await lintIn(folder, '--fix', 'a.pp')).out).toContain('FIXED')
  })

  it.each([
    '--junit-report-file=../out.xml',
    '--codeclimate-report-file=/tmp/plumb-out.json',
    '--junit-report-file=link/out.xml',
    '--junit-report-file=nosuch/out.xml',
  ])('writes no report elsewhere: %s', async (option) => {
    const folder = folderWith({ 'm/a.pp': '$x = 1\n', 'm/.puppet-lint.rc': `${option}\n` })
    symlinkSync(folder, join(folder, 'm/link'))
    const { status, err } = await lintIn(join(folder, 'm'), 'a.pp')
    expect([status, err]).toEqual([1, expect.stringContaining('is not in a folder below the current one')])
  })

  it('writes reports below the folder', async () => {
    const rc = '--junit-report-file=out/junit.xml\n--codeclimate-report-file=gl.json\n'
    const folder = folderWith({ 'a.pp': '$x = 1\n', 'out/x': '', '.puppet-lint.rc': rc })
    expect((await lintIn(folder, 'a.pp')).err).toBe('')
    expect(readFileSync(join(folder, 'out/junit.xml'), 'utf8')).toContain('<testsuites')
    expect(readFileSync(join(folder, 'gl.json'), 'utf8')).toContain('[')
  })
})

describe('reports', () => {
  const text = '# A.\nclass a { $x = "y" # lint:ignore:double_quoted_strings on purpose\n\t$z = 1 }\n'
  const folder = folderWith({ 'a/manifests/init.pp': text })
  const path = join(folder, 'a/manifests/init.pp')

  it('in JSON have the fields of puppet-lint', async () => {
    for (const format of [['--json'], ['--render-as', 'json']]) {
      const { out } = await lint(...format, '--only-checks', 'hard_tabs', path)
      expect(JSON.parse(out)).toEqual([
        [
          {
            message: 'tab character found',
            line: 3,
            column: 1,
            kind: 'error',
            check: 'hard_tabs',
            fullpath: path,
            path,
            filename: 'init.pp',
            KIND: 'ERROR',
          },
        ],
      ])
    }
  })

  it('in SARIF have relative paths and suppressions', async () => {
    const { out } = await lint('--sarif', '--show-ignored', '--only-checks', 'hard_tabs,double_quoted_strings', folder)
    const { version, runs } = JSON.parse(out)
    expect(version).toBe('2.1.0')
    expect(runs[0].tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual([
      'double_quoted_strings',
      'hard_tabs',
    ])
    expect(runs[0].originalUriBaseIds.ROOTPATH.uri).toBe(`file://${folder}/`)
    const artifactLocation = { uri: 'a/manifests/init.pp', uriBaseId: 'ROOTPATH' }
    const locate = (startLine: number, startColumn: number) => [
      { physicalLocation: { artifactLocation, region: { startLine, startColumn } } },
    ]
    expect(runs[0].results).toEqual([
      {
        ruleId: 'double_quoted_strings',
        ruleIndex: 0,
        level: 'warning',
        message: { text: 'double quoted string containing no variables' },
        locations: locate(2, 16),
        suppressions: [{ kind: 'inSource', justification: 'on purpose' }],
      },
      {
        ruleId: 'hard_tabs',
        ruleIndex: 1,
        level: 'error',
        message: { text: 'tab character found' },
        locations: locate(3, 1),
      },
    ])
  })

  it('for GitLab and JUnit are files', async () => {
    const [gitLab, junit] = [join(folder, 'gl.json'), join(folder, 'junit.xml')]
    const words = ['--codeclimate-report-file', gitLab, '--junit-report-file', junit, '--only-checks', 'hard_tabs']
    await lint(...words, path)
    expect(JSON.parse(readFileSync(gitLab, 'utf8'))).toEqual([
      {
        type: 'issue',
        check_name: 'hard_tabs',
        description: 'tab character found',
        categories: ['Style'],
        severity: 'major',
        location: { path, lines: { begin: 3, end: 3 } },
        fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
        content: { body: expect.stringContaining('https://puppet.com/') },
      },
    ])
    expect(readFileSync(junit, 'utf8')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="lint" tests="1" failures="1">
  <testsuite name="${path}" tests="1" failures="1">
    <testcase classname="${path}" name="hard_tabs 3:1">
      <failure type="error" message="tab character found">${path}:3:1: tab character found</failure>
    </testcase>
  </testsuite>
</testsuites>
`)
  })

  it('for GitHub are annotations', async () => {
    process.env['GITHUB_ACTION'] = 'lint'
    try {
      const { out } = await lint('--only-checks', 'hard_tabs', path)
      expect(out).toContain(`\n::error file=${path},line=3,col=1::tab character found (check: hard_tabs)\n`)
    } finally {
      delete process.env['GITHUB_ACTION']
    }
  })
})
