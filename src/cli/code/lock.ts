import { rename, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { lockText } from '../../deploy/synthesis/lock.ts'
import { defineCommand } from '../command/command.ts'
import type { Option } from '../command/options.ts'
import { codeSettings, openCodeRepository, repositoryOption } from '../input/code-source.ts'
import { puppetfileModules } from '../input/puppetfile-modules.ts'

const options = [
  repositoryOption,
  { flags: '--anew', doc: 'Look at all modules anew, also at those that the present lock has.' },
  { flags: '--module <name>', doc: 'Look at this module anew; others keep what the present lock has.', repeated: true },
  { flags: '--output <file>', doc: 'Write the lock to a file; by default it is printed.' },
] as const satisfies readonly Option[]

/** `plumb code lock` */
export const codeLock = defineCommand({
  name: 'lock',
  summary: 'Writes a Puppetfile.lock: what the words of a Puppetfile come to now.',
  description: `Fetches the modules of a branch's Puppetfile and prints, as JSON, what each came to: a commit, a version, and the id
of its tree. Committed as Puppetfile.lock beside the Puppetfile it holds them: a server takes exactly those trees, and
refuses a push whose lock does not fit its Puppetfile. What the present lock of the branch has, and still fits, is
kept.

  plumb code lock production > Puppetfile.lock
  plumb code lock --repo . --anew --output Puppetfile.lock
  plumb code lock --module stdlib --output Puppetfile.lock`,
  usage: '[ref]',
  options,
  async run(invocation) {
    const { args, options: given, io } = invocation
    const settings = codeSettings(invocation)
    const source = await openCodeRepository(settings)
    try {
      const ref = args[0] ?? 'HEAD'
      const names = given.module && given.module.length > 0 ? new Set(given.module) : undefined
      const anew = given.anew === true ? 'all' : names
      const { lock } = await puppetfileModules({ source, ref, anew, withoutLock: true }, settings, io)
      const text = lockText(lock)
      if (given.output === undefined) io.out(text)
      else await replaceFile(resolve(given.output), text)
      return 0
    } finally {
      await source.close()
    }
  },
})

async function replaceFile(path: string, text: string): Promise<void> {
  const fresh = `${path}.${process.pid}.new`
  await writeFile(fresh, text, { flush: true })
  await rename(fresh, path)
}
