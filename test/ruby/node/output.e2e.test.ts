import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { plumb } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

it('what Ruby prints and what it complains of go apart', async () => {
  const folder = scratchFolder('output')
  const code = "puts 'said'\n$stderr.puts 'complained'\nFacter.add(:spoken) { setcode { 'yes' } }\n"
  writeFileSync(join(folder, 'spoken.rb'), code)
  const { stdout, stderr } = await plumb(['facts', '--custom-dir', folder, 'spoken'])
  expect(stdout).toBe('said\nyes')
  expect(stderr).toBe('complained')
}, 60_000)
