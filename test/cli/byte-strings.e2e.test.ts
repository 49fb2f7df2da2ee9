import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

// As `puppet apply` does.
describe('strings that are not UTF-8', () => {
  it('prints what a program printed', async () => {
    const folder = scratchFolder('byte-strings')
    const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--certname', 'node']
    const command = "/usr/bin/printf '\\\\377'"
    const code = `exec { 'x': command => "${command}", provider => shell, logoutput => true }`
    const { out } = await runHere(['apply', '-e', code, ...places])
    expect(out).toContain('/returns: Received a Log attribute with invalid encoding:"\\xFF"')
  })
})
