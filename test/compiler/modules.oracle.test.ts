import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execaSync } from 'execa'
import { describe, expect, it } from 'vitest'
import { without } from '../support/needs.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const script = join(import.meta.dirname, '../../scripts/conformance.js')

const lacking = without('real Puppet 7.23', "Debian's modules")

describe.skipIf(lacking)(`classes of Debian's modules, beside real Puppet${lacking}`, () => {
  it('are the same for a sample; npm run conformance compares all', () => {
    const folder = scratchFolder('modules')
    const output = join(folder, 'report.json')
    execaSync('node', [script, '--sample', '60', '--cache', folder, '--output', output], { reject: false })
    const { classes } = JSON.parse(readFileSync(output, 'utf8'))
    const different = classes.filter(({ differences }: { differences: unknown[] }) => differences.length > 0)
    expect(classes).toHaveLength(60)
    expect(different.map(({ name, differences }: Record<string, unknown>) => ({ name, differences }))).toEqual([])
  })
})
