import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { localFiles } from '../../../src/machine/system/files.ts'
import { AgentRequests } from '../../../src/server/services/agent-requests.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

it('requests are read that version 0.1.0 wrote, so that an upgrade hides no node from the gate', async () => {
  const folder = scratchFolder('askings')
  const asking = { environment: 'production', belongsTo: 'production', extensions: {}, static: true }
  const write = (node: string, content: unknown) => writeFileSync(join(folder, `${node}.json`), JSON.stringify(content))
  write('old', asking)
  write('new', [{ ...asking, heard: Date.now() }])
  write('malformed', [asking])
  const warn = (error: unknown) => expect.unreachable(String(error))
  const askings = new AgentRequests({ folder, files: localFiles, holdsFacts: false, ttl: 60_000, now: Date.now, warn })
  await askings.open()
  expect([...askings.listNodes('production')].sort()).toEqual(['new', 'old'])
  expect(askings.of('old', 'production')).toMatchObject(asking)
})
