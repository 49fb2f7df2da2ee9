import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

it('facts in Ruby ask Augeas by its program, and say so where that is not there', async () => {
  const folder = scratchFolder('augeas-facts')
  const code = "Facter.add(:uid) { setcode { Augeas.open { |a| a.get('/files/etc/passwd/root/uid') } } }"
  writeFileSync(join(folder, 'a.rb'), `require 'augeas'\n${code}`)
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
  const { out, err } = await runHere(['facts', '--custom-dir', folder, 'uid', ...places])
  const isHere = spawnSync('augtool', ['--version']).status === 0
  expect(out).toBe(isHere ? '0\n' : '\n')
  if (!isHere) expect(err).toContain("fact='uid', resolution='<anonymous>': augtool is not there")
})
