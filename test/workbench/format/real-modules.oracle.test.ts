import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { formatManifest } from '../../../src/workbench/format/format.ts'
import { type Answer, askPuppet } from '../../language/real-puppet.ts'
import { debianModules } from '../../support/debian-modules.ts'
import { without } from '../../support/needs.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** The checks of puppet-lint about layout; the tree of a manifest does not change with their corrections. */
const layoutChecks = [
  ...['2sp_soft_tabs', 'hard_tabs', 'trailing_whitespace', 'arrow_alignment', 'arrow_on_right_operand_line'],
  ...['double_quoted_strings', 'variables_not_enclosed', 'unquoted_node_name', 'slash_comments'],
]

const lacking = without('real Puppet 7.23', "Debian's modules", 'puppet-lint 3.0.1')

describe.skipIf(lacking)(`formatted manifests of real modules${lacking}`, () => {
  const folder = scratchFolder('formatted')
  const names = lacking
    ? []
    : readdirSync(debianModules, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.pp'))
        .sort()
  const original = (name: string) => join(debianModules, name)
  const formatted = (name: string) => join(folder, name)

  beforeAll(() => {
    for (const name of names) {
      const text = readFileSync(original(name), 'utf8')
      mkdirSync(dirname(formatted(name)), { recursive: true })
      writeFileSync(formatted(name), formatManifest({ file: name, text }, { tasks: /\/plans\//.test(name) }))
    }
  })

  it('are many', () => {
    expect(names.length).toBeGreaterThan(1000)
  })

  it('have the syntax trees of the original manifests', () => {
    const ask = (path: (name: string) => string) => askPuppet(names.map((name) => ({ file: path(name) })))
    const [before, after] = [ask(original), ask(formatted)]
    const hasSameTree = (one: Answer, other: Answer) => one.tree !== undefined && one.tree === other.tree
    const readable = names.filter((_, index) => before[index]!.tree !== undefined)
    const different = names.filter((_, index) => before[index]!.tree && !hasSameTree(before[index]!, after[index]!))
    expect(readable.length).toBeGreaterThan(1000)
    expect(different).toEqual([])
  })

  it('have no problems of layout in puppet-lint', () => {
    const words = ['--only-checks', layoutChecks.join(','), '--log-format', '%{path}:%{line}: %{check}', folder]
    const { stdout, stderr } = spawnSync('puppet-lint', words, { encoding: 'utf8', maxBuffer: 1 << 28 })
    expect(stderr).toBe('')
    expect(stdout.split('\n').filter((line) => line !== '')).toEqual([])
  })
})
