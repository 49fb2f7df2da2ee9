import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { controlRepository } from '../support/control-repository.ts'
import { startServer } from '../support/plumb.ts'

describe('a bug that nobody caught', () => {
  it.each(['throw new Error("boom")', 'Promise.reject(new Error("boom"))'])(
    '%s ends the server, and stands in its log',
    async (bug) => {
      const repository = controlRepository({ 'manifests/site.pp': '' })
      const logdest = join(repository.work, 'server.log')
      const preload = encodeURIComponent(`process.on("SIGUSR2", () => { ${bug} })`)
      const env = { NODE_OPTIONS: `--import=data:text/javascript,${preload}` }
      const server = await startServer({ repository: repository.bare, settings: { logdest }, env })
      const ended = new Promise<number | null>((done) => server.process.once('exit', done))
      server.process.kill('SIGUSR2')
      expect(await ended).toBe(1)
      expect(server.output()).toContain('Error: boom')
      expect(readFileSync(logdest, 'utf8')).toContain('"message":"boom"')
    },
  )
})
