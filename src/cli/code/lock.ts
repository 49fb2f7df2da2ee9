import { resolve } from 'node:path'
import { formatLock } from '../../deploy/synthesis/puppetfile-lock.ts'
import { localFiles } from '../../machine/system/files.ts'
import { requireOutputPath } from '../../machine/system/writable-file.ts'
import { defineCommand } from '../command/command.ts'
import type { Option } from '../command/options.ts'
import { loadCodeSettings, openCodeRepository, repositoryOption } from '../input/code-source.ts'
import { fetchPuppetfileModules } from '../input/puppetfile-modules.ts'

const options = [
  repositoryOption,
  { flags: '--anew', doc: 'Resolve all modules again, even if they are locked.' },
  {
    flags: '--module <name>',
    doc: 'Resolve this module again and keep the others locked; may be given several times.',
    repeated: true,
  },
  { flags: '--output <file>', doc: 'Path of the file to which the lock is written. Default: standard output.' },
] as const satisfies readonly Option[]

/** The command `plumb code lock`. */
export const codeLock = defineCommand({
  name: 'lock',
  summary: 'Write a Puppetfile.lock with the resolved modules of a Puppetfile.',
  description: `Fetches the modules of a branch's Puppetfile and prints, as JSON, the commit, version and tree ID of each. Commit the
output as Puppetfile.lock next to the Puppetfile: the server then deploys exactly these trees, and rejects a push whose
lock does not match its Puppetfile. Entries of the existing lock that still match are kept.

  plumb code lock production > Puppetfile.lock
  plumb code lock --repo . --anew --output Puppetfile.lock
  plumb code lock --module stdlib --output Puppetfile.lock`,
  usage: '[ref]',
  options,
  async run(invocation) {
    const { args, options: given, io } = invocation
    const settings = loadCodeSettings(invocation)
    const source = await openCodeRepository(settings)
    try {
      const ref = args[0] ?? 'HEAD'
      const names = given.module && given.module.length > 0 ? new Set(given.module) : undefined
      const anew = given.anew === true ? 'all' : names
      const { lock } = await fetchPuppetfileModules({ source, ref, anew, withoutLock: true }, settings, io)
      const text = formatLock(lock)
      if (given.output === undefined) io.out(text)
      else {
        await requireOutputPath(given.output)
        await localFiles.write(resolve(given.output), text)
      }
      return 0
    } finally {
      await source.close()
    }
  },
})
