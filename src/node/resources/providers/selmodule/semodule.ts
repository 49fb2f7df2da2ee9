import { complain } from '../../issues.ts'
import { defineProvider, runProgram, type Services, type Work } from '../../provider.ts'
import { moduleFile, selmodule } from '../../types/selmodule.ts'

/** Loaded modules with their versions. The version is undefined if `semodule` does not print versions. */
type Loaded = ReadonlyMap<string, string | undefined>

type ModuleWork = Work<(typeof selmodule)['attributes'], Loaded>

/** Policy modules, managed with `semodule`. */
export const semodule = defineProvider<(typeof selmodule)['attributes'], Loaded>(selmodule, 'semodule', {
  doc: 'Manage SELinux policy modules using the semodule binary.',
  suitable: { commands: ['semodule'] },
  async prefetch(services) {
    const loaded = await loadedModules(services)
    return () => loaded
  },
  async read({ resource, state, ...work }) {
    if (!state.has(resource.name)) return { ensure: 'absent' }
    const syncversion = resource.reads('syncversion') ? String(await isOfFile({ ...work, resource, state })) : undefined
    return { ensure: 'present', syncversion }
  },
  create: (work) => change(work, 'load', ['--install', moduleFile(work.resource)]),
  remove: (work) => change(work, 'remove', ['--remove', work.resource.name]),
  set: { syncversion: (work) => change(work, 'upgrade', ['--upgrade', moduleFile(work.resource)]) },
})

async function change({ system }: ModuleWork, action: string, words: readonly string[]): Promise<void> {
  const { status, output } = await runProgram(system, ['semodule', ...words])
  if (status !== 0) complain(`Could not ${action} policy module: ${output.split('\n')[0]}`)
}

async function loadedModules({ system }: Services): Promise<Loaded> {
  const { status, output, stdout } = await runProgram(system, ['semodule', '--list'])
  if (status !== 0) {
    const path = (await system.commands.find('semodule')) ?? 'semodule'
    const said = output.trim().split('\n').join(' ')
    complain(`Could not list policy modules: "${path} --list" failed with "${said}"`)
  }
  const rows = stdout.split('\n').filter((line) => line.trim() !== '')
  return new Map(
    rows.map((line) => {
      const [name = '', version] = line.trim().split(/\s+/)
      return [name, version] as const
    }),
  )
}

async function isOfFile({ resource, state, system }: Pick<ModuleWork, 'resource' | 'state' | 'system'>) {
  const loaded = state.get(resource.name)
  if (loaded === undefined) return false
  const path = moduleFile(resource)
  const content = (await system.files.read(path)) ?? complain(`No such file or directory @ rb_sysopen - ${path}`)
  return versionOf(content, path) === loaded
}

const magic = 0xf97cff8f

/** The version in a module file: after the header of five words and the section table, names and the version. */
function versionOf(content: Buffer, path: string): string {
  let at = 0
  const skip = (bytes: number): Buffer => {
    if (at + bytes > content.length) complain(`The policy module ${path} ends too soon`)
    at += bytes
    return content.subarray(at - bytes, at)
  }
  const number = () => skip(4).readUInt32LE(0)
  const text = () => skip(number()).toString('latin1')
  const [found, version, sections] = [number(), number(), number()]
  if (found !== magic) complain(`Found ${found} instead of magic ${magic} in ${path}`)
  if (version !== 1) complain(`Unknown policy file version ${version} in ${path}`)
  skip((sections + 1) * 4)
  text()
  text()
  skip(14)
  text()
  return text()
}
