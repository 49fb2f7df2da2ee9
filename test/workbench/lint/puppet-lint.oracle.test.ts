import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findFiles } from '../../../src/workbench/lint/files/find-files.ts'
import { debianModules } from '../../support/debian-modules.ts'
import { without } from '../../support/needs.ts'
import { lintText, toRows } from './lint-text.ts'
import { sharedChecks } from './shared-checks.ts'

const lacking = without('puppet-lint 3.0.1', "Debian's modules")

interface Row {
  readonly path: string
  readonly check: string
  readonly kind: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/** Modules whose manifests have problems of nearly all checks. */
const modules = ['apache', 'concat', 'mysql', 'nova', 'oci', 'rabbitmq', 'ssh', 'staging', 'stdlib', 'swift']

describe.skipIf(lacking !== '')(`the problems are those of puppet-lint 3.0.1${lacking}`, () => {
  it.each(modules)('in the module %s', (name) => {
    const folder = join(debianModules, name)
    expect(existsSync(folder)).toBe(true)
    const words = ['--no-config', '--show-ignored', '--json', '--only-checks', sharedChecks.join(',')]
    const { stdout } = spawnSync('puppet-lint', [...words, folder], { encoding: 'utf8', maxBuffer: 2 ** 28 })
    const theirs = (JSON.parse(stdout) as Row[][])
      .flat()
      .map(({ path, check, kind, line, column, message }) => [path, [check, kind, line, column, message]])
    const own = findFiles([folder], { skipLinks: false })
      .filter((path) => path.endsWith('.pp'))
      .flatMap((path) =>
        toRows(lintText(readFileSync(path, 'utf8'), { path, checks: sharedChecks })).map((row) => [path, row]),
      )
    expect(own).toEqual(theirs)
  })
})
