import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { PuppetError } from '../../../../src/base/issue.ts'
import { parseSource } from '../../../../src/language/syntax/parser/parser.ts'
import { toPn } from '../../../../src/language/syntax/tree/pn.ts'
import { formatPn } from '../../../../src/language/syntax/tree/pn-text.ts'
import { debianModules } from '../../../support/debian-modules.ts'
import { without } from '../../../support/needs.ts'
import { type Answer, askPuppet } from '../../real-puppet.ts'

const ours = resolve(import.meta.dirname, '../../../../environments.example')

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(pp|epp)$/.test(name))
    .sort()
    .map((name) => join(folder, name))
}

function treeOf(file: string): Answer {
  try {
    const { program } = parseSource({ file, text: readFileSync(file, 'utf8') }, { epp: file.endsWith('.epp') })
    return { tree: formatPn(toPn(program)) }
  } catch (error) {
    if (error instanceof PuppetError) return { error: error.message }
    throw error
  }
}

const lacking = without('real Puppet 7.23', "Debian's modules")

describe.skipIf(lacking)(`real modules${lacking}`, () => {
  const files = [...filesIn(debianModules), ...filesIn(ours)]
  let wanted: Answer[] = []
  beforeAll(() => {
    wanted = askPuppet(files.map((file) => ({ file })))
  })

  it('has modules to read', () => {
    expect(files.length).toBeGreaterThan(process.env.CI ? 50 : 1)
    expect(wanted).toHaveLength(files.length)
  })

  it('reads every file into the tree that Puppet reads', () => {
    const different = files.filter((file, index) => JSON.stringify(treeOf(file)) !== JSON.stringify(wanted[index]))
    expect(different).toEqual([])
  })
})
