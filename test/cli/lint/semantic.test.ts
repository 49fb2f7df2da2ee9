import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHere } from '../../support/run-here.ts'
import { writeCode } from '../../workbench/code-checks/check-files.ts'

const lint = (...words: readonly string[]) => runHere(['lint', '--no-config', '--no-autoloader_layout-check', ...words])

const module = {
  'metadata.json': '{"name": "me-m"}',
  'manifests/init.pp': [
    '# A.',
    'class m {',
    '  include m::x',
    '  include m::y # lint:ignore:unknown_class elsewhere',
    '}',
    '',
  ].join('\n'),
  'templates/x.epp': '<%- | Integer $a | -%><%= $a %><%= $b %>',
}

describe('plumb lint --semantic', () => {
  it('checks manifests and templates of a module', async () => {
    const root = writeCode(module)
    expect(await lint('--semantic', root)).toEqual({
      status: 1,
      out: [
        `${root}/manifests/init.pp - ERROR: unknown class 'm::x' on line 3 (check: unknown_class)`,
        `${root}/templates/x.epp - WARNING: '$b' is not set in this template on line 1 (check: unset_template_variable)`,
        '',
      ].join('\n'),
      err: '',
    })
  })

  it.each<[string, readonly string[], number, string]>([
    ['nothing without the option', [], 0, ''],
    ['not a disabled check', ['--semantic', '--no-unknown_class-check', '--no-unset_template_variable-check'], 0, ''],
    ['a single check', ['--unset_template_variable-check'], 0, 'unset_template_variable'],
    ['only named checks', ['--only-checks', 'unknown_class'], 1, 'unknown_class'],
    ['suppressed problems', ['--semantic', '--show-ignored'], 1, 'IGNORED: unknown class'],
    ['JSON', ['--semantic', '--json'], 1, '"check": "unknown_class"'],
    ['SARIF', ['--semantic', '--sarif'], 1, 'A class exists.'],
  ])('reports %s', async (_, words, status, out) => {
    const answer = await lint(...words, writeCode(module))
    expect(answer.status).toBe(status)
    if (out === '') expect(answer.out).toBe('')
    else expect(answer.out).toContain(out)
  })

  it('finds modules in --modulepath', async () => {
    const other = writeCode({ 'n/manifests/init.pp': 'class n { }' })
    const root = writeCode({
      'metadata.json': '{"name": "me-m"}',
      'manifests/init.pp': '# A.\nclass m {\n  include n::x\n}\n',
    })
    expect(await lint('--semantic', join(root, 'manifests/init.pp'))).toMatchObject({ status: 0, out: '' })
    const found = await lint('--semantic', '--modulepath', other, join(root, 'manifests/init.pp'))
    expect(found.out).toContain("unknown class 'n::x'")
  })

  it.skipIf(process.getuid?.() === 0)('reports a folder that cannot be read, and checks the others', async () => {
    const root = writeCode(module)
    mkdirSync(join(root, 'closed'))
    chmodSync(join(root, 'closed'), 0o000)
    const { out, status } = await lint(root)
    chmodSync(join(root, 'closed'), 0o755)
    expect(out).toContain('(check: file)')
    expect(status).toBe(1)
  })

  it('follows no links to folders, and ends for classes that inherit each other', async () => {
    const root = writeCode({
      ...module,
      'manifests/a.pp': '# A.\nclass m::a inherits m::b {\n  notice($zzz)\n}\n',
      'manifests/b.pp': '# A.\nclass m::b inherits m::a {\n}\n',
    })
    for (const name of ['l1', 'l2']) symlinkSync('..', join(root, 'manifests', name))
    const { out } = await lint('--only-checks', 'unknown_variable', root)
    expect(out).toBe(`${root}/manifests/a.pp - ERROR: unknown variable '$zzz' on line 3 (check: unknown_variable)\n`)
  })

  it.each([
    ['checks a manifest of 3 MB', 50_000, "unknown variable '$m::y' on line 50004 (check: unknown_variable)"],
    ['reports a manifest that is too large', 80_000, 'the file is larger than 4 MiB, and semantic checks skip it'],
  ])('%s', async (_, count, problem) => {
    const lines = Array.from(
      { length: count },
      (_, index) => `  file { '/srv/${index}': ensure => $m::x, owner => root, mode => '0644' }`,
    )
    const root = writeCode({
      ...module,
      'manifests/init.pp': `class m(\n  $x,\n) {\n${lines.join('\n')}\n  notice($m::y)\n}\n`,
    })
    const { out } = await lint(
      '--only-checks',
      'unknown_variable,duplicate_declaration,unused_parameter,dead_branch',
      root,
    )
    expect(out).toContain(problem)
    expect(out.trimEnd().split('\n')).toHaveLength(1)
  })
})
