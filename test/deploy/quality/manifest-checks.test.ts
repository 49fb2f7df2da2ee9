import { describe, expect, it } from 'vitest'
import { fc } from '../../support/properties.ts'
import { checkCommitFiles, listProblems } from './check-commit.ts'

const module = 'modules/web/manifests/init.pp'
const quoted = '# web\nclass web {\n  notify { "a": }\n}\n'
const trailing = "# web\nclass web {\n  notify { 'a': } \n}\n"

describe('manifests of a commit', () => {
  it.each([
    ['good code', { [module]: "# web\nclass web {\n  notify { 'a': }\n}\n" }, []],
    [
      'a warning of the linter, which is also a fault of the format',
      { [module]: quoted },
      [
        `${module}:3 warning double quoted string containing no variables (double_quoted_strings)`,
        `${module} is not formatted`,
      ],
    ],
    [
      'an error of the linter',
      { [module]: trailing },
      [`${module}:3 error trailing whitespace found (trailing_whitespace)`, `${module} is not formatted`],
    ],
    [
      'a comment that ignores a check',
      { [module]: quoted.replace('}\n}', '} # lint:ignore:double_quoted_strings\n}') },
      [`${module} is not formatted`],
    ],
    [
      'bytes that are not UTF-8',
      { [module]: Buffer.from([0x63, 0xff]) },
      [`${module}:1 error Syntax error (invalid UTF-8) (syntax)`],
    ],
    ['a path that the rc file ignores', { [module]: quoted, '.puppet-lint.rc': '--ignore-paths=modules/**\n' }, []],
    [
      'a check that the rc file disables',
      { [module]: quoted, '.puppet-lint.rc': '--no-double_quoted_strings-check\n' },
      [`${module} is not formatted`],
    ],
    [
      'the options of another file of the commit',
      {
        [module]: quoted,
        '.puppet-lint.rc': '--config\nci/lint.rc\n',
        'ci/lint.rc': '--no-double_quoted_strings-check\n',
      },
      [`${module} is not formatted`],
    ],
  ] as const)('%s', async (_, files, expected) => {
    expect(await listProblems(files)).toEqual(expected)
  })

  it('fail for errors, and for warnings if the rc file demands it', async () => {
    const isFailure = async (files: Readonly<Record<string, string>>) => (await checkCommitFiles(files)).lint.isFailure
    expect(await isFailure({ [module]: quoted })).toBe(false)
    expect(await isFailure({ [module]: quoted, '.puppet-lint.rc': '--fail-on-warnings\n' })).toBe(true)
    expect(await isFailure({ [module]: trailing })).toBe(true)
  })

  it('are left out when the time is over', async () => {
    const files = { [module]: quoted, 'manifests/site.pp': quoted }
    expect(await checkCommitFiles(files, { timeMs: -1 })).toMatchObject({ problems: [], unchecked: 2 })
  })

  it('are left out if they are too large', async () => {
    const { problems, unsupported } = await checkCommitFiles({ [module]: ' '.repeat(2 ** 21 + 1) })
    expect(problems).toEqual([])
    expect(unsupported).toEqual([`${module}: the file is larger than 2097152 bytes`])
  })
})

describe('semantic checks', () => {
  const rc = { '.puppet-lint.rc': '--semantic\n--only-checks=unknown_class,missing_file\n' }
  const check = (files: Parameters<typeof listProblems>[0]) => listProblems({ ...rc, ...files }, { format: false })

  it('read the other files of the commit', async () => {
    const files = {
      [module]:
        "class web {\n  include web::servce\n  include web::service\n  file { '/x': source => 'puppet:///modules/web/x' }\n}\n",
      'modules/web/manifests/service.pp': 'class web::service { }\n',
      'modules/web/files/y': '',
    }
    expect(await check(files)).toEqual([
      `${module}:2 error unknown class 'web::servce'. Did you mean 'web::service'? (unknown_class)`,
      `${module}:4 error the module 'web' has no file 'files/x' (missing_file)`,
    ])
  })

  it('find no module outside of the commit', async () => {
    const files = {
      'environment.conf': 'modulepath = ../../usr/share/puppet/modules:/usr/share/puppet/modules:modules\n',
      [module]: 'class web {\n  include apache::nowhere\n  include web\n}\n',
    }
    expect(await check(files)).toEqual([])
  })

  it('take a link for an existing file, and do not follow it', async () => {
    const files = {
      [module]: "class web {\n  file { '/x': source => 'puppet:///modules/web/x' }\n}\n",
      'modules/web/files/x': { link: '/etc/passwd' },
      'modules/other': { link: '/usr/share/puppet/modules/apache' },
    }
    expect(await check(files)).toEqual([])
  })
})

describe('a hostile rc file', () => {
  const error = (message: string) => [`.puppet-lint.rc:1 error ${message} (options)`]
  it.each([
    ['of 5 MB', '--no-x-check\n'.repeat(400_000), error('.puppet-lint.rc is larger than 65536 bytes')],
    ['that includes a file of the machine', '--config\n/etc/passwd\n', []],
    ['that includes a file outside', '--config=../../../../etc/passwd\n', []],
    [
      'that includes itself',
      '--config=.puppet-lint.rc\n'.repeat(9),
      error('.puppet-lint.rc: more than 10 files are included with --config'),
    ],
    ['that corrects files', '--fix\n-f\n', []],
    ['that writes reports', '--codeclimate-report-file=/tmp/x\n--junit-report-file\n../y\n--json\n--sarif\n', []],
    ['that prints in its own format', '--log-format=%{nonsense}\n--list-checks\n--with-context\n', []],
    ['that loads code', '--load=/tmp/x.rb\n', error('.puppet-lint.rc: invalid option: --load')],
    [
      'with an absurd check',
      `--only-checks=${'x'.repeat(60_000)}\n`,
      error(`--only-checks: unknown check '${'x'.repeat(970)}`),
    ],
    [
      'with modules elsewhere',
      '--semantic\n--modulepath=/usr/share/puppet/modules:../..\n--no-unused_parameter-check\n',
      [],
    ],
  ])('%s', async (_, rc, expected) => {
    const files = { [module]: "# web\nclass web {\n  notify { 'a': }\n}\n", '.puppet-lint.rc': rc }
    expect(await listProblems(files)).toEqual(expected)
  })

  it('of any lines has a result', async () => {
    const words = [
      '--fix',
      '--config',
      '-c',
      '--only-checks',
      '--semantic',
      '--ignore-paths',
      '--relative',
      '--',
      '=',
      'a',
      '%',
      '*',
      '\n',
      '\r',
      '\0',
      '.puppet-lint.rc',
      '/etc/passwd',
    ]
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...words), { maxLength: 30 }), async (parts) => {
        const { lint } = await checkCommitFiles({ [module]: quoted, '.puppet-lint.rc': parts.join('') })
        expect(lint.errors + lint.warnings).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})
