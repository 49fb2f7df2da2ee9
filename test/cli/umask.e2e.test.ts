import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { execaSync } from 'execa'
import { expect, it } from 'vitest'
import { plumbMain } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

/** Sockets, and all that is not for others to write, have other modes. */
const writableByOthers = 0o022

it('makes nothing that others may write, whatever umask it is started with', () => {
  const folder = scratchFolder('umask')
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
  const words = [process.execPath, plumbMain, 'ca', 'setup', ...places, '--certname', 'ca.test', '--key_type', 'ec']
  execaSync('sh', ['-c', 'umask 000; exec "$0" "$@"', ...words])
  const made = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  expect(made.length).toBeGreaterThan(5)
  expect(made.filter((path) => (statSync(join(folder, path)).mode & writableByOthers) !== 0)).toEqual([])
})
