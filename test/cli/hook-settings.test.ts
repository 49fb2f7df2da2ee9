import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

it('names the server as the cause when a hook cannot read its settings', async () => {
  const confdir = scratchFolder('hook-settings')
  mkdirSync(confdir, { recursive: true })
  writeFileSync(join(confdir, 'puppet.conf'), '[main]\ngate = refuze\n')
  const { status, err } = await runHere(['code', 'check', '--stdin', '--repo', confdir, '--confdir', confdir])
  expect([status, err]).toEqual([
    1,
    "Error: The server cannot check pushes, because its settings are invalid: Invalid value 'refuze' for parameter: gate\n" +
      "  Your code is not the cause. Ask an administrator of the server, who can run 'plumb doctor' there.\n",
  ])
})
